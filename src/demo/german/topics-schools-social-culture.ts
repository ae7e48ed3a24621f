/** Requests about schools, young people, social care, culture and the town's administration. */
import { parseTopics } from '../parse-topics.ts';

export const schoolsSocialCultureTopics = parseTopics(`
# Schulen und Kitas

## Toiletten in {schule}
Die Toiletten in {schule} sind in einem Zustand, dass unsere Kinder den ganzen Vormittag nichts trinken.
Bitte ziehen Sie die Sanierung vor.
## Ganztagsplätze in {ortsteil}
In {ortsteil} haben zum neuen Schuljahr 31 Familien keinen Platz in der Nachmittagsbetreuung bekommen.
Schaffen Sie bitte eine weitere Gruppe, notfalls vorübergehend im Gemeindehaus.
## WLAN in {schule}
In {schule} reicht das WLAN gerade für zwei Klassen gleichzeitig.
Bitte lassen Sie den Glasfaseranschluss, der seit {dauer} im Keller liegt, endlich anschließen.
## Mittagessen in {schule}
Das Essen in {schule} wird aus über 90 Kilometern Entfernung lauwarm angeliefert.
Prüfen Sie bitte, ob die Küche im Ort frisch kochen kann.
## Öffnungszeiten bei {kita}
Bei {kita} endet die Betreuung seit dem Personalengpass schon um 14:30 Uhr.
Bitte stellen Sie Springkräfte ein, auf die alle Einrichtungen zurückgreifen können.
## Schulsozialarbeit in {schule}
In {schule} kommt auf 540 Kinder eine halbe Stelle Schulsozialarbeit.
Stocken Sie bitte mindestens auf eine volle Stelle auf.
## Anmeldung für Kitaplätze
Wer für {ortsteil} einen Kitaplatz sucht, muss in jeder Einrichtung einzeln ein Formular abgeben.
Eine gemeinsame Onlineanmeldung mit sichtbarem Stand der Warteliste wäre eine enorme Erleichterung.
## Undichtes Dach in {schule}
In {schule} stehen bei Regen Eimer auf dem Flur, an der Decke zeigt sich Schimmel.
Bitte lassen Sie das Dach vor dem Winter abdichten und die Raumluft messen.
## Neuer Schulwegplan
Der Schulwegplan, der in {schule} verteilt wird, ist von 2009, und die halbe Umgebung ist seitdem neu gebaut.
Erstellen Sie ihn bitte neu, am besten gemeinsam mit den Kindern.
## Schwimmunterricht
In {schule} fällt der Schwimmunterricht seit {dauer} aus, weil keine Bahn frei ist.
Geben Sie den Schulen bei der Belegung des Hallenbads bitte Vorrang.

- An der Bildung zu sparen, kommt am Ende immer teurer.
- Der Elternbeirat unterstützt das Anliegen einstimmig.
- Die Lehrkräfte und Erzieherinnen geben ihr Bestes, aber irgendwann geht es nicht mehr.
- Uns Eltern geht allmählich die Geduld aus.
- Den Kindern wird seit Jahren gesagt, dass es „bald“ besser wird.
- In der Haushaltsrede war noch von einem Schwerpunkt Bildung die Rede.

# Kinder und Jugend

## Spielplatz in {ortsteil}
Auf dem Spielplatz in {ortsteil} sind Rutsche und Schaukel seit {dauer} abgesperrt.
Bitte reparieren Sie die Geräte vor den Sommerferien.
## Skatepark bei {gruen}
Die Rampen bei {gruen} sind aus Holz, durchgefault und bei Nässe gefährlich glatt.
Wir wünschen uns eine Anlage aus Beton und planen gerne mit. 🛹
## Jugendtreff in {ortsteil}
In {ortsteil} gibt es für alle zwischen 12 und 18 genau einen Ort: die Bushaltestelle.
Bitte richten Sie einen offenen Treff ein, zwei Abende in der Woche wären ein Anfang.
## Schattige Sandkästen in {gruen}
Der Sandkasten in {gruen} liegt in der prallen Sonne, mittags ist das Spielen dort unmöglich.
Ein Sonnensegel oder zwei schnell wachsende Bäume würden helfen.
## Bolzplatz nahe {schule}
Der Bolzplatz nahe {schule} steht nach jedem Regen tagelang unter Wasser.
Bitte erneuern Sie die Drainage und ersetzen Sie die kaputten Netze.
## Inklusive Spielgeräte
Unser Sohn sitzt im Rollstuhl und kann auf keinem Spielplatz in {ortsteil} mitspielen.
Ein unterfahrbarer Matschtisch und ein ebenerdiges Karussell wären ein guter Anfang.
## Proberäume für junge Bands
Unsere Band probt in einer Garage in {ortsteil}, bis die Nachbarn anrufen.
Öffnen Sie bitte die leerstehenden Kellerräume städtischer Gebäude für Proben.
## Calisthenics-Anlage in {gruen}
In {gruen} trainieren wir an Ästen und am Klettergerüst der Kleinen.
Ein paar Stangen und ein Fallschutzboden würden uns reichen 💪
## Ferienprogramm
Das Ferienprogramm für {ortsteil} war dieses Jahr nach elf Minuten ausgebucht.
Bitte verdoppeln Sie die Plätze und losen Sie, statt nach Schnelligkeit zu vergeben.
## Stimmrecht für den Jugendrat
Der Jugendrat wird zu Vorhaben wie dem Umbau in {gruen} erst gehört, wenn alles entschieden ist.
Geben Sie ihm bitte ein Rede- und Antragsrecht in den Ausschüssen.

- Kinder und Jugendliche haben sonst kaum Orte, an denen sie nichts kaufen müssen.
- Im Jugendforum stand das ganz oben auf der Liste.
- Langeweile ist der Hauptgrund für den Ärger, über den sich dann alle beschweren.
- In der Umfrage an unserer Schule haben 212 von 260 dafür gestimmt.
- Versprochen wurde das schon vor der letzten Wahl.
- Wer jung ist, wird in dieser Stadt zu selten gefragt.

# Soziales und Inklusion

## Abgesenkte Bordsteine in {strasse}
In {strasse} ist an keiner Ecke der Bordstein abgesenkt, mit dem Rollator komme ich allein nicht hinüber.
Bitte senken Sie wenigstens an den Kreuzungen die Kanten ab.
## Blindenleitsystem an {platz}
An {platz} enden die Leitstreifen mitten auf der Fläche, dahinter stehen die Tische der Gaststätten.
Führen Sie das System bitte durchgehend und halten Sie es frei.
## Aufzug an {halt}
Der Aufzug an {halt} ist öfter kaputt als in Betrieb.
Bitte lassen Sie ihn ersetzen und Störungen online anzeigen.
## Treffpunkt für Ältere in {ortsteil}
Seit die Bäckerei geschlossen hat, gibt es in {ortsteil} keinen Ort mehr, an dem sich Ältere zufällig treffen.
Öffnen Sie den Gemeindesaal bitte einmal in der Woche für ein Nachbarschaftscafé.
## Mehrsprachige Formulare
Viele Menschen in {ortsteil} scheitern an Formularen, die es nur in schwerem Amtsdeutsch gibt.
Bitte bieten Sie die wichtigsten in Leichter Sprache und in weiteren Sprachen an.
## Notunterkunft im Winter
Im Durchgang bei {halt} schlafen auch bei Frost Menschen auf dem Boden.
Bitte öffnen Sie die Wärmestube auch nachts und nehmen Sie Hunde mit auf.
## Sozialpass
Den Sozialpass kennt in {ortsteil} kaum jemand, und beantragen kann man ihn nur vormittags auf dem Amt.
Schicken Sie ihn den Berechtigten bitte automatisch mit dem Bescheid zu.
## Schwellenfreier Zugang zu {schule}
Am Wahltag kam ich mit dem Rollstuhl nicht ins Wahllokal in {schule}.
Bitte wählen Sie nur noch barrierefreie Räume aus oder legen Sie eine Rampe an.
## Hausarztsitz in {ortsteil}
In {ortsteil} schließt zum Jahresende die letzte Hausarztpraxis.
Bitte prüfen Sie ein kommunales Versorgungszentrum.
## Kleiderkammer und Tafel
Die Tafel nahe {platz} muss zum dritten Mal in zwei Jahren umziehen.
Stellen Sie ihr bitte dauerhaft städtische Räume zur Verfügung.

- Teilhabe darf nicht am Bordstein enden.
- Es betrifft mehr Menschen, als man im Alltag sieht.
- Viele trauen sich nicht, selbst darum zu bitten.
- Der Behindertenbeirat hat das bei seiner Begehung ebenfalls festgestellt.
- Wir alle werden einmal darauf angewiesen sein.
- Ehrenamtliche allein können das nicht mehr auffangen.

# Kultur, Sport und Vereine

## Hallenzeiten für Vereine
In der Turnhalle an {schule} bekommt unser Verein nur noch eine Stunde pro Woche.
Bitte legen Sie die Belegung offen und verteilen Sie nicht genutzte Zeiten neu.
## Erhalt des Programmkinos
Dem kleinen Kino am Kornplatz ist zum Jahresende gekündigt worden.
Bitte helfen Sie bei der Suche nach Räumen oder treten Sie selbst als Mieterin ein.
## Sonntagsöffnung der Bücherei
Die Bücherei in {ortsteil} ist genau dann geschlossen, wenn Familien Zeit hätten.
Öffnen Sie sie bitte sonntags mit Selbstverbuchung.
## Flutlicht am Sportplatz
Am Sportplatz in {ortsteil} wird im Winter im Halbdunkel trainiert, weil nur zwei von acht Strahlern gehen.
Bitte rüsten Sie auf LED um, das Geld für den Strom spart sich schnell ein.
## Legale Graffitiwand nahe {halt}
Nahe {halt} wird die Unterführung jeden Monat neu gestrichen und jede Woche neu besprüht.
Geben Sie eine Seite frei und lassen Sie Jugendliche und Künstler sie gestalten. 🎨
## Denkmal am Brühlplatz
Am Brühlplatz erinnert nichts an die Synagoge, die dort bis 1938 stand.
Bitte schreiben Sie gemeinsam mit den Schulen einen Wettbewerb für ein Mahnmal aus.
## Weihnachtsmarkt in {ortsteil}
Den kleinen Weihnachtsmarkt in {ortsteil} kann der Verein wegen der neuen Sicherheitsauflagen nicht mehr bezahlen.
Bitte übernehmen Sie die Kosten der Absperrung aus dem Kulturetat.
## Freilichtbühne in {gruen}
Die Freilichtbühne in {gruen} ist ein Schatz, aber Strom und Licht stammen aus den Siebzigern.
Bitte erneuern Sie die Technik und vermieten Sie die Bühne günstig an hiesige Gruppen.
## Museumsdepot
Die Sammlung des Heimatmuseums lagert in einem feuchten Keller in {strasse}.
Bitte suchen Sie ein trockenes Depot, bevor die Bestände verloren sind.
## Boulebahn in {gruen}
In {gruen} spielen wir auf dem Schotterweg Boule und stehen dabei allen im Weg.
Eine einfache Bahn mit zwei Bänken – mehr braucht es nicht.

- Vereine halten diese Stadt zusammen.
- Kultur ist keine freiwillige Leistung, auf die man einfach verzichten kann.
- Hier treffen Menschen aufeinander, die sich sonst nie begegnen würden.
- Wir bringen gern Eigenleistung ein: Zeit, Werkzeug und viele Hände.
- Das Interesse ist in den letzten Jahren deutlich gewachsen.
- Wenn das einmal weg ist, kommt es nicht wieder.

# Verwaltung und Digitales

## Termine im Bürgerbüro
Im Bürgerbüro für {ortsteil} ist der nächste freie Termin in neun Wochen.
Bitte bieten Sie wieder offene Sprechzeiten ohne Anmeldung an.
## Ratssitzungen im Livestream
Wer in {ortsteil} Kinder hat oder im Schichtdienst arbeitet, kann an keiner Ratssitzung teilnehmen.
Bitte übertragen Sie die öffentlichen Teile im Internet, mit Untertiteln.
## Offene Daten
Die Messwerte der Verkehrszählung in {strasse} bekommt man nur als abfotografierte Tabelle.
Stellen Sie solche Daten bitte maschinenlesbar und unter freier Lizenz bereit.
## Funkloch in {ortsteil}
In {ortsteil} kann man in vielen Häusern nicht einmal den Notruf wählen.
Bitte wirken Sie auf die Netzbetreiber ein und bieten Sie städtische Dächer an.
## Mängelmelder
Eine Meldung über {strasse} wurde im Mängelmelder als „erledigt“ geschlossen, obwohl nichts geschehen ist.
Bitte zeigen Sie den Grund an, wenn eine Meldung geschlossen wird.
## Bürgerhaushalt
Über das Geld für Vorhaben wie in {gruen} entscheidet der Rat allein.
Richten Sie bitte ein Budget ein, über das wir Einwohner selbst abstimmen.
## Verständliche Bescheide
Der Bescheid über die Straßenreinigung in {strasse} umfasst sechs Seiten, und ich weiß immer noch nicht, was ich zahlen muss.
Bitte stellen Sie Betrag und Frist an den Anfang.
## Freies WLAN an {platz}
An {platz} bricht das freie WLAN alle paar Minuten ab.
Bitte erneuern Sie die Technik, gern mit den Freifunkern zusammen.
## Ortsteilsprechstunde
Aus {ortsteil} fährt man für jede Unterschrift eine halbe Stunde ins Rathaus.
Kommen Sie bitte einmal im Monat mit einem mobilen Bürgerbüro zu uns.
## Stellenbesetzung im Bauamt
Ein Bauantrag in {ortsteil} dauert inzwischen vierzehn Monate.
Besetzen Sie die freien Stellen bitte zügig und nehmen Sie digitale Anträge an.

- Transparenz schafft Vertrauen.
- Das kostet alle Beteiligten unnötig Zeit, auch die Mitarbeitenden im Rathaus.
- In anderen Städten dieser Größe funktioniert es seit Jahren.
- Die meisten Leute im Rathaus sind sehr hilfsbereit, nur die Abläufe sind es nicht.
- Nicht alle haben ein Smartphone, aber alle haben ein Recht auf Auskunft.
- Auf meine erste Anfrage habe ich nur eine automatische Antwort erhalten.
`);
