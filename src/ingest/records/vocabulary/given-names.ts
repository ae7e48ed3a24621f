/** Common given names of residents of the countries whose languages the vocabulary has, as `splitWords` writes them. */
export const givenNames: ReadonlySet<string> = new Set(
  `
    aaron abdul abdullah achim ada adam adela adele adelheid adolf adrian adrien agata agnes agnieszka ahmad ahmed ahmet aicha
    aisha aitor albert alberto alejandra alejandro aleksander aleksandra alessandra alessandro alessia alessio alex alexander
    alexandra alexandre alexia alexis alfred alfredo ali alice alicia alicja alina aline alma alois alvaro amanda amelia amelie
    amina amir amy ana anastasia anders andre andrea andreas andree andreu andrew andrzej andy aneta angela angelika angelo angels
    anika anita anja anke ann anna annalena anne annegret annelies anneliese annemarie annett annette annika ansgar anthony antje
    antoine anton antonella antoni antonia antonino antonio arend aria ariane arkadiusz armin arnaud arnau arne arno arnold artur
    arthur arturo ashley astrid audrey august auguste aurelie aurore axel ayse aysegul aziz barbara barry bart bartosz bas basil
    bastian bastien beata beate beatrice beatrix beatriz begona ben benedikt benjamin benoit berit bernadette bernard bernd
    bernhard bernardo bert berta berthold bettina bianca birgit birgitta birte bjorn blanca bogdan boris bozena brian brigitte
    britta bruce bruno burkhard camille camilla candela carina carl carla carles carlo carlos carlotta carme carmen carol carola
    caroline carsten catalina caterina catherine cathrin cecile cecilia celia celine cem cesar chantal charles charlotte chiara
    chloe christa christel christian christiane christina christine christof christoph christophe christopher cindy claas claire
    clara claude claudia claudine claudio claus clemens clement colette conchita concepcion conny constanze cordula cornelia
    cornelis cristian cristina cristobal cyril cynthia dagmar damian damien dan daniel daniela daniele danielle danuta daphne daria
    dariusz david davide dawid deborah delphine denis denise dennis detlef detlev diana diane diego dieter dietmar dietrich dirk
    dolores domenico dominik dominika dominique donald dora doris dorota dorothea dorothee douglas dylan eberhard eckhard edda
    edeltraud edgar edith edmund eduard eduardo edward edwin eleanor elena eleonora elfriede elias elif elisa elisabeth elisabetta
    elise elizabeth elke ella ellen elodie elsa elsbeth elvira emanuel emel emil emilia emilie emilio emily emine emma emmanuel
    emmanuelle emre enric enrico enrique eric erica erich erik erika erkan ernst erwin esra estelle esther etienne eugen eugenia
    eugeniusz eva eveline evelyn evelyne ewa ewald fabian fabien fabienne fabio fabrice fatima fatma federica federico felicitas
    felip felipe felix ferdinand fernand fernanda fernando ferran filip filippo finn flora florence florent florian francesc
    francesca francesco francis francisca francisco franciszek franck franco francois francoise frank frans franz franziska fred
    frederic frederik frederike frieda friedemann friedrich fritz gabi gabriel gabriela gabriele gabriella gabrielle gaby gaetan
    gary gemma geoffrey georg george georges gerald gerard gerardo gerda gerd gerhard gerlinde gerrit gert gertrud giacomo
    giancarlo gianluca gilbert gilles gina giorgia giorgio giovanna giovanni giulia giuliano giulio giuseppe gisela gitta gloria
    gonzalo gottfried grace graham grazyna greet gregor gregory grzegorz guido guillaume guillem guillermo gunda gunther guenter
    gunter guenther gustav guus guy hakan halil halina hamid hannah hanna hannelore hannes hans hansjorg harald harry hartmut
    hartwig hassan hasan hatice hedwig heike heiko heidemarie heidi heiner heinrich heinz helen helena helene helga hella hellmut
    helmut hendrik henk henning henri henriette henrik henryk henry herbert hermann herve hilde hildegard hiltrud holger horst
    howard hubert hugo huseyin ian ibrahim ida ignacio ignasi igor ilona ilse imke imma ina ines inga inge ingeborg ingo ingrid
    inka inken irena irene irina iris irma irmgard isaac isabel isabell isabella isabelle ismail ismet ivan ivo iwona izabela jack
    jacek jackie jacob jacqueline jacques jadwiga jaime jakob jakub jamal james jan jana jane janet janina janine jannik janusz
    jaroslaw jasmin jason jasper jaume javier jean jeannette jeff jeffrey jelle jennifer jenny jens jeremie jeremy jeroen jerome
    jerzy jesper jesse jessica jesus jill jim joachim joan joana joanna joaquim joaquin jochen joel joelle joerg johan johann
    johanna johannes john jolanta jonas jonathan joost jordi jorg jorge jorn jos josch jose josef josefa josefina josep joseph
    josephine joshua josiane juan juana judith jules julia julian juliana juliane julie julien juliette julio julius justin
    justyna juergen jurgen jutta kai kamil kamila karen karim karin karina karl karla karlheinz karol karola karolina karoline
    karsten karolin kaspar katarina katarzyna kate katharina katherine kathleen kathrin kathy katja katrin kay kazimierz keith
    kelly kemal ken kenneth kerstin kevin khaled kilian kim kirsten kirstin klaas klara klaus konrad konstantin korinna kornelia
    krystian krystyna krzysztof kristian kristin kristina kurt laia lara larissa lars laszlo laura laure laurence laurent laurids
    lea leah leandro leen leila lena lennart leo leon leonard leonardo leonhard leonie leonora leszek leticia lieselotte
    liliane lilli lina linda lino linus lioba lisa lisbeth lise lluis lola lorena lorenz lorenzo lothar lotte lou louis louisa louise
    luca lucas lucia luciano lucie lucien lucy ludger ludovic ludwig luigi luis luisa luise lukas lukasz luke lutz lydia lydie
    maarten maciej madeleine madlen magali magda magdalena mahmoud maike maja malgorzata malte malika manfred manon manuel
    manuela mar marc marcel marceli marcelo marcin marco marcos marcus mareike margaret margareta margarete margarita margit
    margot margret margrit maria mariam mariana marianne marie mariella marieke marija marijke marilyn marina mario marion maris
    mariska marisa marit marius marjan mark marko markus marleen marlene marlies marlis marta martha marthe marti martin martina
    martine mary maryam marzena massimo mateo mateusz mathias mathieu mathilde matteo matthew matthias matthieu matthijs maud
    maureen maurice mauricio mauro max maxime maximilian maya mechthild mehmet meike melanie melissa melitta mercedes meritxell
    merve mia micha michael michaela michal michel michela michele micheline michelle miguel mihai mike mikel milan milena
    mireia mireille miriam miroslaw mirjam mirko mohamed mohammad mohammed moira monica monika monique montse montserrat moritz
    muhammad muriel murat mustafa myriam nadia nadine nadja nadja nancy naomi natacha natalia natalie natascha nathalie nathan
    neil nele nelly nerea neus nicola nicolas nicole niels nikita nikola nikolai nikolaus nils nina noah noelle nora norbert noemi
    nuria odile olaf ole olga oliver olivia olivier omar oriol orhan oscar oskar osman oswald othmar otto otmar pablo paloma paola
    paolo pascal pascale patrice patricia patricio patrick patrizia patrycja patryk paul paula paulina pauline paulo pavel pawel
    pedro peggy pep pepe per pere peter petra phil philip philipp philippe phyllis pia pierre pieter pietro pilar piotr
    priska przemyslaw quentin quirin rachel rafael rafal raimund rainer raimon ralf ralph ramiro ramon ramona raphael raquel rashid
    raul raymond rebecca rebekka regina regine regis reimund reiner reinhard reinhold rene renata renate renaud renee ricarda
    ricard ricardo riccardo richard rita rob robert roberta roberto robin rocio rocco rodolfo rodrigo roel roger roland rolf
    roman romain romana romano ronald ronja rosa rosario rose roselyne rosemarie rosi rosina roswitha roy ruben ruby rudi rudolf
    rudiger ruediger rupert russell ruth ryan ryszard sabina sabine sabrina said salah salim sally salma salome salvador salvatore sam
    samantha samira samuel sandra sandrine santiago sara sarah sascha saskia scott sean sebastian sebastiano sebastien selina
    selim selma serge sergej sergi sergio severin severine sharon sheila sibylle siegfried sieglinde siegmund sigrid silas silke
    silvana silvia silvio simon simona simone sina slawomir sofia sofie solange sonia sonja sonke sophia sophie soren stanislaw
    stanislav stefan stefania stefanie stefano steffen steffi stella stephan stephane stephanie stephen steve steven
    susan susana susann susanna susanne suse suzanne svea sven svenja swen sybille sylvain sylvia sylvie sylwia tadeusz tamara tania
    tanja tatjana ted teresa terry thea theo theodor theresa therese thierry thijs thilo thomas thorben thorsten tiago tilman
    tilo tim timo timothy tina tino tobias todd tom tomas tomasz tommaso toni tony torben torsten trudi tufan udo ugo ulf uli ulla
    ullrich ulrich ulrike umberto umut urs urban ursel ursula urszula ute uta uwe valentin valentina valeria valerie vanessa veit vera
    verena veronica veronika veronique vicent vicente victor victoria vincent vincenzo viola violeta virginia virginie viktor
    viktoria vivian vivien volker volkmar waclaw waldemar walter waltraud wanda wendelin wendy werner wieslaw wilfried wilhelm willem
    wiliam william willi willy wim winfried wojciech wolf wolfgang wolfram xaver xavi xavier yann yannick yasemin yasin yasmin
    yolanda youssef yusuf yves yvette yvonne zbigniew zdzislaw zeynep zoe zofia zuzanna
  `
    .trim()
    .split(/\s+/),
);
