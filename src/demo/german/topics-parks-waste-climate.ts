/** Requests about parks, waste, the climate and the lake. */
import { parseTopics } from '../parse-topics.ts';

export const parksWasteClimateTopics = parseTopics(`
# Grünflächen und Bäume

## Nachpflanzung in {strasse}
In {strasse} sind im letzten Winter sieben Linden gefällt worden, ersetzt wurde bisher keine.
Bitte pflanzen Sie noch in diesem Herbst nach, am besten hitzeverträgliche Arten.
## Bänke in {gruen}
In {gruen} gibt es auf einem Kilometer Weg keine einzige Bank mit Lehne.
Drei oder vier Bänke im Schatten würden vielen älteren Menschen den Spaziergang erst ermöglichen.
## Trinkbrunnen an {platz}
An {platz} wird es im Sommer unerträglich heiß, und Wasser bekommt man nur im Café.
Bitte stellen Sie einen öffentlichen Trinkbrunnen auf.
## Wildblumenwiese statt Rasen in {gruen}
Der Rasen in {gruen} wird alle zwei Wochen bis auf die Erde gemäht und ist ab Juni braun.
Lassen Sie dort bitte eine artenreiche Wiese wachsen, zweimal Mähen im Jahr genügt. 🐝
## Hundewiese in {ortsteil}
In {ortsteil} gibt es keine Fläche, auf der Hunde ohne Leine laufen dürfen.
Eine eingezäunte Hundewiese würde auch den Streit in den Parks entschärfen.
## Morscher Baum nahe {kita}
Nahe {kita} hängt seit dem letzten Sturm ein großer Ast nur noch lose in der Krone einer Pappel.
Bitte schicken Sie umgehend einen Baumpfleger.
## Gemeinschaftsgarten in {ortsteil}
Viele Menschen in {ortsteil} haben keinen Balkon und würden gern selbst Gemüse anbauen.
Stellen Sie uns bitte eine Brachfläche und einen Wasseranschluss zur Verfügung, um den Rest kümmern wir uns.
## Baumscheiben in {strasse}
Auf den Baumscheiben in {strasse} wird geparkt, der Boden ist hart wie Beton.
Ein niedriger Bügel um jeden Baum würde genügen; die Bepflanzung übernehmen wir Anwohner gern.
## Laubbläser in {gruen}
In {gruen} lärmen von Oktober bis Dezember {zeit} die Laubbläser, auch dort, wo das Laub liegen bleiben könnte.
Bitte steigen Sie auf Rechen und Akkugeräte um.
## Kranker Kastanienbestand in {gruen}
Die Kastanien in {gruen} verlieren schon im Juli ihre Blätter.
Lassen Sie bitte das Laub der Miniermotte wegen konsequent entfernen und stellen Sie Nistkästen für Meisen auf.

- Das Grün ist der Grund, warum viele von uns hierhergezogen sind.
- Für viele ist das öffentliche Grün der einzige Garten, den sie haben.
- Das Freiraumkonzept der Stadt nennt so etwas ausdrücklich als Ziel.
- Hier kommen jeden Tag Hunderte Menschen vorbei.
- Die letzten drei Sommer haben gezeigt, wie nötig das ist.
- Mehrere Nachbarn würden mit anpacken.

# Sauberkeit und Abfall

## Wilder Müll in {strasse}
In {strasse} liegen neben den Containern fast immer alte Matratzen, Farbeimer und Elektroschrott.
Bitte leeren Sie häufiger und kontrollieren Sie stichprobenartig.
## Mehr Mülleimer in {gruen}
In {gruen} quellen die Mülleimer jedes Wochenende über, die Krähen erledigen den Rest.
Größere, krähensichere Behälter und eine Leerung am Sonntagmorgen wären die Lösung.
## Glascontainer an {platz}
Der Glascontainer an {platz} wird auch nachts um drei noch befüllt.
Versetzen Sie ihn bitte um hundert Meter oder tauschen Sie ihn gegen einen lärmgedämmten aus.
## Hundekotbeutel in {ortsteil}
In {ortsteil} hängen volle Hundekotbeutel inzwischen in den Sträuchern. 💩
Bitte stellen Sie Spender mit passenden Abfallbehältern auf.
## Biotonne im Sommer
Die Biotonne wird in {strasse} auch im Hochsommer nur alle zwei Wochen geleert und stinkt zum Himmel.
Von Juni bis September bitte wöchentlich abholen.
## Öffentliche Toilette an {platz}
An {platz} gibt es keine öffentliche Toilette, die Folgen riecht man in jeder Hofeinfahrt.
Eine barrierefreie, selbstreinigende Anlage ist überfällig.
## Pfandringe an {halt}
An {halt} durchsuchen ältere Menschen mit bloßen Händen die Abfalleimer nach Flaschen.
Pfandringe an den Behältern kosten fast nichts und ersparen diese Demütigung.
## Öffnungszeiten des Wertstoffhofs
Der Wertstoffhof für {ortsteil} hat werktags nur bis 16 Uhr geöffnet.
Einmal in der Woche bis 19 Uhr würde allen Berufstätigen helfen.
## Zigarettenkippen vor {kita}
Vor {kita} liegen so viele Kippen, dass die Kinder sie beim Spielen aufheben.
Bitte reinigen Sie gründlich und richten Sie eine rauchfreie Zone ein.
## Mehrwegpflicht auf Festen
Nach dem letzten Fest in {gruen} war die Wiese wochenlang voller Plastikbecher und Scherben.
Schreiben Sie bitte für alle Veranstaltungen auf städtischem Grund Mehrweggeschirr vor.

- Ein gepflegtes Umfeld bleibt eher von selbst sauber.
- Ich ärgere mich jeden Tag aufs Neue darüber.
- Bei der letzten Putzaktion haben wir mit zwanzig Leuten 34 Säcke gefüllt.
- Das ist kein schönes Bild für eine Stadt, die von ihren Gästen lebt.
- Der Bauhof tut, was er kann, aber ihm fehlen offenbar die Leute.
- Es ärgert vor allem diejenigen, die sich an die Regeln halten.

# Klima und Energie

## Solaranlage an {schule}
Das große Flachdach an {schule} liegt den ganzen Tag in der Sonne und ist völlig ungenutzt.
Bitte belegen Sie es mit Photovoltaik, gern auch mit Bürgerbeteiligung. ☀️
## Hitzeschutz an {platz}
An {platz} haben wir im August 47 Grad auf dem Pflaster gemessen.
Sonnensegel, Bäume in Kübeln und ein Wasserspiel würden den Platz wieder benutzbar machen.
## Wärmeplan für {ortsteil}
In {ortsteil} wissen Hausbesitzer nicht, ob sie noch eine eigene Wärmepumpe kaufen oder auf Fernwärme warten sollen.
Legen Sie bitte verbindlich fest, welche Straßen bis wann angeschlossen werden.
## Ladesäulen in {ortsteil}
In {ortsteil} gibt es für 3.000 Menschen ohne eigene Garage genau eine Ladesäule.
Laternenladen wäre hier eine einfache und günstige Lösung.
## Entsiegelung des Schulhofs
Der Hof an {schule} besteht aus einer einzigen Asphaltfläche, auf der nach jedem Regen das Wasser steht.
Entsiegeln Sie ihn bitte zusammen mit den Schülerinnen und Schülern.
## Licht aus in {schule}
In {schule} brennt nachts auf allen Fluren Licht, auch in den Ferien.
Bewegungsmelder würden sich in wenigen Monaten bezahlt machen.
## Regenwasser nutzen in {gruen}
In {gruen} wird in der größten Trockenheit mit Trinkwasser gegossen, während das Regenwasser der Dächer in den Kanal läuft.
Bauen Sie bitte Zisternen ein.
## Förderung für Balkonkraftwerke
Viele Mieterinnen und Mieter in {ortsteil} würden gern selbst Strom erzeugen, scheuen aber die Anschaffung.
Ein Zuschuss von 100 Euro aus dem Klimafonds hätte eine große Wirkung.
## Fassadenbegrünung in {strasse}
In {strasse} gibt es weder Vorgärten noch Bäume, die Hauswände heizen sich bis in die Nacht auf.
Bitte fördern Sie Fassadenbegrünung und genehmigen Sie Pflanzstreifen im Gehweg.
## Klimabericht in Zahlen
Was aus dem Klimaschutzkonzept geworden ist, erfährt man in {ortsteil} nur gerüchteweise.
Veröffentlichen Sie bitte jährlich, wie viele Tonnen CO₂ tatsächlich eingespart wurden – auch wenn es weniger sind als geplant.

- Die Stadt will bis 2035 klimaneutral sein, und dafür bleibt nicht mehr viel Zeit.
- Je länger wir warten, desto teurer wird es.
- Die Bürgerenergiegenossenschaft hat ihre Unterstützung schon angeboten.
- Das spart auf Dauer mehr, als es kostet.
- Das Land übernimmt derzeit bis zu 70 Prozent der Kosten, der Antrag muss aber bis März gestellt sein.
- Ein Beispiel, das man sehen und anfassen kann, überzeugt mehr als jede Broschüre.

# See und Ufer

## Freier Zugang zum Wasser an {ufer}
An {ufer} ist der Weg zum Wasser seit {dauer} mit einem Bauzaun versperrt.
Bitte stellen Sie den öffentlichen Zugang wieder her.
## Badesteg an {ufer}
Der Steg an {ufer} ist so morsch, dass einzelne Bretter fehlen.
Bitte erneuern Sie ihn bis zur nächsten Badesaison, möglichst mit einer Rampe für Rollstühle.
## Rettungsring an {ufer}
An {ufer} hängt nur noch die leere Halterung des Rettungsrings.
Bitte ersetzen Sie ihn sofort und kontrollieren Sie die übrigen.
## Schilfschutz an {ufer}
An {ufer} fahren Stand-up-Paddler mitten durch den Schilfgürtel, in dem Haubentaucher brüten.
Eine Bojenkette und gut verständliche Schilder würden den meisten schon genügen.
## Wasserqualität an {ufer}
An {ufer} war das Wasser im Juli tagelang grün und roch faulig.
Veröffentlichen Sie die Messwerte bitte täglich, nicht erst nach zwei Wochen.
## Nachtruhe an {ufer}
An {ufer} laufen in Sommernächten Lautsprecherboxen bis drei, vier Uhr früh.
Wir bitten um Streifengänge am Wochenende und um ein Gespräch mit den Jugendlichen, nicht nur um Verbote.
## Eintritt im Strandbad
Der Eintritt ins Strandbad hat sich für Familien innerhalb von drei Jahren verdoppelt.
Ein Abendtarif ab 17 Uhr und eine günstige Familienkarte wären gerecht.
## Bootsliegeplätze an {ufer}
Auf einen Liegeplatz an {ufer} wartet man zwölf Jahre, während manche Boote nie bewegt werden.
Bitte machen Sie die Warteliste öffentlich und vergeben Sie ungenutzte Plätze neu.
## Hochwasserschutz in {ortsteil}
In {ortsteil} stand beim Starkregen im Juni das Wasser in mehr als vierzig Kellern.
Bitte legen Sie einen Plan vor, wie der Mühlbach mehr Raum bekommt.
## Grillplätze an {ufer}
An {ufer} wird überall auf der Wiese gegrillt, obwohl das Gras im Sommer strohtrocken ist. 🔥
Drei fest gemauerte Grillstellen mit Aschebehälter wären sicherer.

- Der See prägt unsere Stadt wie nichts anderes.
- An schönen Wochenenden kommen Tausende hierher.
- Die Wasserwacht hat auf den Punkt schon im vergangenen Jahr hingewiesen.
- Der Uferschutzverein sieht das genauso.
- Wer hier aufgewachsen ist, dem liegt das am Herzen.
- Ein gepflegtes Ufer ist das, wofür die Leute nach Lindenau kommen.
`);
