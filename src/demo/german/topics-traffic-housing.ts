/** Requests about traffic, cycling, public transport, planning and housing. */
import { parseTopics } from '../parse-topics.ts';

export const trafficHousingTopics = parseTopics(`
# Straßenverkehr

## Zebrastreifen vor {schule}
Vor {schule} müssen die Kinder eine Straße queren, auf der kaum jemand vom Gas geht.
Bitte lassen Sie prüfen, ob dort ein Zebrastreifen möglich ist.
## Tempo 30 in {strasse}
In {strasse} wird tagsüber wie nachts deutlich schneller als 50 gefahren.
Ich beantrage Tempo 30 auf ganzer Länge, zumindest aber zwischen 22 und 6 Uhr.
## Schlaglöcher in {strasse}
Die Fahrbahn in {strasse} besteht seit {dauer} fast nur noch aus Schlaglöchern und geflickten Stellen.
Bitte nehmen Sie die Straße in das nächste Deckenprogramm auf.
## Gehwegparken in {strasse}
In {strasse} stehen die Autos so weit auf dem Gehweg, dass man mit dem Kinderwagen auf die Fahrbahn ausweichen muss.
Bitte markieren Sie die Stellplätze auf der Fahrbahn und lassen Sie das Ordnungsamt regelmäßig kontrollieren.
## Ampelschaltung an {platz}
An {platz} reicht die Grünphase für Fußgänger gerade bis zur Mittelinsel, dann wird es rot.
Verlängern Sie bitte die Grünzeit um ein paar Sekunden.
## Lkw-Durchfahrtsverbot für {ortsteil}
Seit der Sperrung der Umgehung fahren die Lastwagen quer durch {ortsteil}, und zwar {zeit} im Minutentakt.
Wir fordern ein Durchfahrtsverbot für Fahrzeuge über 7,5 Tonnen.
## Elterntaxis vor {schule}
Vor {schule} halten jeden Morgen Dutzende Autos in zweiter Reihe, auch auf der Sperrfläche.
Eine Hol- und Bringzone in zwei, drei Minuten Fußweg würde allen helfen.
## Spiegel an der Ausfahrt zu {strasse}
Wer aus der Tiefgarage zu {strasse} hin ausfährt, sieht wegen der Hecke nichts und muss sich blind vortasten.
Bitte stellen Sie einen Verkehrsspiegel auf oder lassen Sie die Hecke zurückschneiden.
## Straßenbeleuchtung in {strasse}
In {strasse} sind seit {dauer} mehrere Laternen dunkel, gemeldet wurde es schon zweimal.
Bitte lassen Sie die Leuchten instand setzen und auf warmweiße LED umstellen.
## Anwohnerparken an {platz}
In den Straßen an {platz} suchen wir nach Feierabend oft eine halbe Stunde lang einen Parkplatz, während Besucher kostenlos den ganzen Tag stehen.
Führen Sie bitte eine Bewohnerparkzone ein, wie es sie in der Altstadt schon gibt.
## Verkehrsversuch Sommerstraße
Am vergangenen Aktionstag war in {strasse} zum ersten Mal seit Jahren Platz zum Verweilen, und die Läden waren trotzdem voll.
Probieren Sie die autofreie Sommerstraße doch einmal drei Monate lang aus.

- Hier sind viele Kinder und ältere Menschen zu Fuß unterwegs.
- Ich habe im Haus herumgefragt: Alle sehen das genauso.
- Es kann nicht sein, dass erst etwas passieren muss.
- Ich wohne lange genug hier, um zu sehen, dass es jedes Jahr schlimmer wird.
- Für alle, die hier leben, ist das eine echte Belastung.
- Im Verkehrskonzept der Stadt steht ausdrücklich, dass der Fußverkehr Vorrang haben soll.

# Radverkehr

## Radweg entlang {strasse}
Entlang {strasse} endet der Radweg plötzlich, und man wird ohne Vorwarnung in den fließenden Verkehr geleitet.
Bitte schließen Sie diese Lücke mit einem baulich getrennten Radweg.
## Fahrradbügel an {platz}
An {platz} gibt es für hunderte Räder ganze acht Bügel, drei davon verbogen.
Stellen Sie bitte mindestens 30 neue Bügel auf, gern anstelle von zwei Parkplätzen.
## Fahrradstraße: {ortsteil} fehlt noch
In {ortsteil} gibt es bis heute keine einzige Fahrradstraße, obwohl die Route zum Bahnhof genau hier durchführt.
Weisen Sie bitte wenigstens die Hauptachse als Fahrradstraße aus.
## Wurzelschäden auf dem Radweg bei {gruen}
Bei {gruen} haben Wurzeln den Asphalt so weit angehoben, dass man mit dem Lastenrad kaum noch durchkommt.
Eine wurzelschonende Sanierung mit wassergebundener Decke wäre schon ein großer Fortschritt.
## Abschließbare Radboxen an {halt}
An {halt} sind mir innerhalb eines Jahres zwei Räder gestohlen worden.
Mietbare Radboxen mit Ladesteckdose wären eine gute Investition.
## Winterdienst auf dem Radweg in {strasse}
Im Winter wird in {strasse} die Fahrbahn geräumt und der Schnee dabei auf den Radweg geschoben.
Nehmen Sie bitte die Hauptrouten für Räder in Stufe 1 des Räumplans auf.
## Freigabe der Einbahnstraße
Die Einbahnstraße in {ortsteil} zwingt alle Radfahrenden zu einem Umweg über die stark befahrene Hauptstraße.
Geben Sie die Straße bitte für Räder in Gegenrichtung frei.
## Poller auf dem Radweg nahe {gruen}
Nahe {gruen} steht mitten auf dem Radweg ein unbeleuchteter Poller, an dem ich {zeit} beinahe hängen geblieben wäre.
Bitte entfernen Sie den Poller oder machen Sie ihn mit Reflektoren sichtbar.
## Grüner Pfeil für Radfahrende an {platz}
An {platz} steht man als Radfahrer beim Rechtsabbiegen unnötig lange an einer Ampel, an der niemand quert.
Bitte bringen Sie hier das Verkehrszeichen „Grünpfeil nur für Radverkehr“ an.
## Radservice-Station bei {halt}
Bei {halt} kommen täglich viele Pendler mit dem Rad an, aber es gibt weit und breit keine Luftpumpe.
Eine kleine Reparatursäule mit Pumpe und Werkzeug würde reichen. 🚲

- Wer möchte, dass mehr Menschen das Auto stehen lassen, muss solche Stellen in Ordnung bringen.
- Ich fahre das ganze Jahr über mit dem Rad und weiß, wovon ich rede.
- Die Zählstelle am Wasserturm zeigt, dass der Radverkehr jedes Jahr zunimmt.
- Wer mit Kindern oder Gepäck unterwegs ist, spürt es am meisten.
- Das wäre mit wenig Geld und ohne langen Planungsvorlauf zu machen.
- Im Radverkehrskonzept von 2019 war das bereits vorgesehen.

# Bus und Bahn

## Wartehäuschen an {halt}
An {halt} steht man bei Regen und Sonne ohne jeden Schutz.
Bitte bauen Sie ein Wartehäuschen mit Sitzbank und, wenn es geht, mit begrüntem Dach.
## Abendverkehr nach {ortsteil}
Der letzte Bus nach {ortsteil} fährt um 20:12 Uhr, danach bleibt nur das Taxi.
Wir wünschen uns wenigstens stündliche Fahrten bis Mitternacht oder ein Rufbusangebot.
## Barrierefreier Umbau an {halt}
An {halt} ist die Bordsteinkante so niedrig, dass die Rampe des Busses zu steil wird.
Ziehen Sie bitte den barrierefreien Umbau vor.
## Überfüllter Schulbus
Der Schulbus zu {schule} ist {zeit} so voll, dass an den letzten beiden Haltestellen niemand mehr einsteigen kann.
Setzen Sie bitte einen zweiten Wagen ein.
## Anschluss an {halt}
An {halt} fährt die Linie 4 regelmäßig genau eine Minute vor Ankunft des Regionalzugs ab.
Bitte stimmen Sie die Fahrpläne aufeinander ab, fünf Minuten Puffer würden genügen.
## Anzeigetafel an {halt}
Die Anzeige an {halt} zeigt seit {dauer} nur „Bitte Aushang beachten“.
Bitte lassen Sie sie reparieren oder die Fahrplandaten wenigstens offen bereitstellen.
## Stadtticket für einen Euro am Tag
Für eine Fahrt von {ortsteil} ins Zentrum zahlt eine Familie inzwischen mehr als für zwei Stunden Parkhaus.
Führen Sie bitte ein günstiges Stadtticket ein, wie es Nachbarstädte längst haben.
## Neue Haltestelle in {strasse}
Von {strasse} aus läuft man fast einen Kilometer bis zum nächsten Bus.
Eine zusätzliche Haltestelle auf halber Strecke wäre ohne Umweg möglich.
## Mülleimer und Licht an {halt}
An {halt} gibt es weder Licht noch einen Mülleimer, entsprechend sieht es dort aus.
Eine Solarleuchte und ein Abfallbehälter würden viel bewirken.
## Fahrradmitnahme im Bus
Wer mit dem Rad aus {ortsteil} kommt und einen Platten hat, darf es im Bus nicht mitnehmen.
Lassen Sie die Mitnahme außerhalb der Stoßzeiten bitte zu.

- Nicht jede und jeder kann oder will Auto fahren.
- Gerade wer im Schichtdienst arbeitet, merkt das jeden Tag.
- Ohne verlässlichen Nahverkehr bleibt die Verkehrswende eine Überschrift.
- Meine Mutter ist 84 und auf den Bus angewiesen.
- Im Fahrgastbeirat ist der Punkt schon zweimal besprochen worden, ohne Ergebnis.
- Der Verkehrsverbund verweist an die Stadt, die Stadt an den Verbund.

# Bauen und Wohnen

## Bezahlbare Wohnungen in {ortsteil}
In {ortsteil} werden seit Jahren fast nur Eigentumswohnungen gebaut, die sich hier kaum jemand leisten kann.
Wir fordern bei jedem neuen Bebauungsplan mindestens 40 Prozent geförderten Wohnraum.
## Leerstand in {strasse}
In {strasse} stehen mindestens drei Häuser seit {dauer} leer und verfallen.
Bitte sprechen Sie mit den Eigentümern und prüfen Sie eine Zweckentfremdungssatzung.
## Baulärm nahe {schule}
Nahe {schule} wird auf der Großbaustelle schon ab sechs Uhr früh gerammt.
Bitte setzen Sie die Ruhezeiten durch und informieren Sie die Anwohner rechtzeitig.
## Nachverdichtung bei {gruen}
Auf der Fläche bei {gruen} soll ein fünfgeschossiger Riegel entstehen, der die Frischluftschneise verstellt.
Bitte überarbeiten Sie den Entwurf und beteiligen Sie die Nachbarschaft frühzeitig.
## Sanierung des alten Speichers
Der alte Speicher am Hafenplatz prägt das Stadtbild, aber das Dach ist inzwischen offen.
Sichern Sie das Gebäude bitte, bevor es nicht mehr zu retten ist.
## Mehrgenerationenhaus in {ortsteil}
In {ortsteil} gibt es ein städtisches Grundstück, das seit Jahren brachliegt.
Vergeben Sie es bitte im Konzeptverfahren für ein gemeinschaftliches Wohnprojekt.
## Werbetafeln in {strasse}
In {strasse} ist eine drei Meter hohe Leuchttafel aufgestellt worden, die nachts in die Schlafzimmer strahlt.
Bitte beschränken Sie Leuchtreklame in Wohngebieten durch eine Satzung.
## Gehweg an der Baustelle in {strasse}
Wegen der Baustelle in {strasse} ist der Gehweg ersatzlos gesperrt, man läuft zwischen Baggern und Autos.
Sorgen Sie bitte für einen gesicherten Notgehweg.
## Bauplätze im Erbbaurecht
Junge Familien aus {ortsteil} ziehen weg, weil sie hier keinen Bauplatz finden.
Vergeben Sie städtische Grundstücke bitte nur noch in Erbpacht und nach sozialen Kriterien.
## Gestaltungssatzung für {platz}
An {platz} verschwinden nach und nach die alten Fassaden hinter Kunststoffplatten.
Eine Gestaltungssatzung mit Beratung statt nur mit Verboten wäre der richtige Weg.

- Eine Stadt ist mehr als die Summe ihrer Grundstücke.
- Einmal getroffen, lassen sich solche Entscheidungen kaum zurückholen.
- Was jetzt versäumt wird, sieht man noch in achtzig Jahren.
- Wie es weitergehen soll, erfahren wir immer erst aus der Zeitung.
- Es geht uns nicht darum, etwas zu verhindern, sondern es besser zu machen.
- Daran hängt auch, ob man hier gern wohnt.
`);
