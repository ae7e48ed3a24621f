/** The surveys of Lindenau am See. */
import type { SurveyDefinition } from '../municipality-profile.ts';

export const germanSurveys: readonly SurveyDefinition[] = [
  {
    title: 'Radfahren in der Altstadt – wie sicher fühlen Sie sich? 🚲',
    status: 'closed',
    totalResponses: 2_318,
    questions: [
      {
        text: 'Wie oft fahren Sie mit dem Rad durch die Altstadt?',
        type: 'single_choice',
        options: ['täglich', 'mehrmals pro Woche', 'gelegentlich', 'nie', 'keine Angabe'],
      },
      {
        text: 'Was hält Sie vom Radfahren ab? (Mehrfachnennungen möglich)',
        type: 'multiple_choice',
        options: [
          'zu viel Autoverkehr 🚗',
          'fehlende Abstellplätze',
          'schlechter Straßenbelag',
          'Regen und Kälte 🌧️',
          'zu große Entfernungen',
          'nichts davon',
        ],
      },
      {
        text: 'Wie sicher fühlen Sie sich auf der Großen Färbergasse?\n(1 = sehr unsicher, 5 = sehr sicher)',
        type: 'scale',
        options: ['1', '2', '3', '4', '5'],
      },
      { text: 'Was möchten Sie uns sonst noch sagen?', type: 'text', options: [] },
    ],
  },
  {
    title: 'Zukunft des Strandbads',
    status: 'active',
    totalResponses: 947,
    questions: [
      {
        text: 'Wie zufrieden sind Sie?',
        type: 'matrix',
        rows: ['Sauberkeit', 'Öffnungszeiten', 'Eintrittspreise', 'Barrierefreiheit'],
        options: ['😀 sehr zufrieden', '🙂 eher zufrieden', '🙁 eher unzufrieden', 'weiß nicht'],
      },
      {
        text: 'Bringen Sie in eine Reihenfolge: Was soll zuerst erneuert werden?',
        type: 'ranking',
        options: ['Badesteg', 'Umkleiden', 'Kiosk', 'Spielplatz', 'Rutsche', 'Liegewiese'],
      },
      {
        text: 'Soll das Strandbad im Sommer bis 22 Uhr öffnen?',
        type: 'single_choice',
        options: ['Ja', 'Nein', 'Nur am Wochenende'],
      },
    ],
  },
  {
    title: 'Wärmeplanung: Womit heizen Sie?',
    status: 'archived',
    totalResponses: 5_402,
    questions: [
      {
        text: 'Womit heizen Sie heute überwiegend?',
        type: 'single_choice',
        options: ['Erdgas', 'Heizöl', 'Fernwärme', 'Wärmepumpe', 'Holz oder Pellets', 'Nachtspeicheröfen'],
      },
      {
        text: 'Welche Unterstützung bräuchten Sie für einen Wechsel?',
        type: 'multiple_choice',
        options: [
          'Energieberatung zu Hause',
          'Zuschuss',
          'verlässlicher Ausbauplan',
          'Handwerkerliste',
          'keine',
        ],
      },
      {
        text: 'Für wie wahrscheinlich halten Sie es, dass Sie innerhalb von fünf Jahren wechseln? (0 bis 10)',
        type: 'scale',
        options: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
      },
    ],
  },
  {
    title: 'Umgestaltung des Kornplatzes: Ihre Wünsche',
    status: 'active',
    totalResponses: 0,
    questions: [
      {
        text: 'Was fehlt dem Kornplatz am meisten?',
        type: 'single_choice',
        options: [
          'Schatten 🌳',
          'Sitzgelegenheiten',
          'Wasser ⛲',
          'Außengastronomie',
          'Stellplätze für Räder',
        ],
      },
      {
        text: 'Beschreiben Sie den Platz, wie Sie ihn sich in zehn Jahren vorstellen.',
        type: 'text',
        options: [],
      },
    ],
  },
  {
    title: 'Zufriedenheit mit dem Bürgerbüro',
    status: 'closed',
    totalResponses: 84,
    questions: [
      {
        text: 'Welche Note geben Sie dem Bürgerbüro insgesamt?',
        type: 'scale',
        options: ['1 – sehr gut', '2', '3', '4', '5', '6 – ungenügend'],
      },
      {
        text: 'Wie beurteilen Sie die Arbeit im Einzelnen?',
        type: 'matrix',
        rows: ['Freundlichkeit', 'Wartezeit', 'Verständlichkeit'],
        options: ['gut', 'mittel', 'schlecht'],
      },
      { text: 'Was können wir besser machen?', type: 'text', options: [] },
    ],
  },
  {
    title: 'Entwurf: Jugendbefragung 2027',
    status: 'draft',
    totalResponses: 0,
    questions: [
      {
        text: 'Wo triffst du dich nach der Schule mit anderen?',
        type: 'multiple_choice',
        options: ['zu Hause', 'im Jugendhaus', 'am See', 'online 🎮', 'im Verein'],
      },
    ],
  },
];
