/**
 * Descriptions with unusual but valid text. Combining characters are written as escapes, because an editor may
 * silently compose them.
 */
export const unusualDescriptions: readonly string[] = [
  'The news page shows “Parks &amp; Gardens” and “<b>Important</b>” exactly like that, with the brackets. Could somebody look at it?',
  'When I type <my street> & "flat 2" into the form, half of it disappears. A colleague got a pop-up by typing <script>alert(1)</script>, which cannot be right.',
  'Please print the bin calendar in Arabic too. A suggestion for the heading:\n\nالرجاء وضع النفايات في الحاوية المناسبة\n\nA friend has proofread it.',
  'For the memorial garden we suggest one line in Hebrew:\nזכרו ואל תשכחו\n(“Remember and do not forget”)',
  // Letters followed by a combining mark, as macOS writes file names.
  'The sign for the pétanque pitch and the one for \u1ecc\u0300\u1e63un House were ordered from the same file, and both came back with the accent floating beside the letter.',
  'Playground 🛝 + water 💦 + shade 🌳 = happy children 👨‍👩‍👧‍👦\n\nThat is all, really.',
  '“Who,” asked my grandson, “stole the slide?” I could not tell him. It was taken away from Foundry Park in March “for maintenance” and never came back.',
  'Hi,\n\n1.  light on the towpath\n2.  light at the lock\n3.  light in the underpass\n\n\tThank you.',
  'PLEASE DO SOMETHING ABOUT THE PIGEONS ON THE CLOCK TOWER!!!',
  'could the bench at heath wharf be turned round? you sit with your back to the water. thanks',
  'Hoffem weld arwyddion Cymraeg yn yr orsaf hefyd: mae llawer o ymwelwyr yn dod dros y ffin. Diolch o galon, a chofion o’r tŷ bach twt.',
  'Prosimy o tablicę po polsku przy przystanku. Dziękujemy!',
  'If I read it correctly the parking charge is £1.20 × ⌈t ÷ 30 min⌉, up to £9. The machine says otherwise. Which is it?',
];
