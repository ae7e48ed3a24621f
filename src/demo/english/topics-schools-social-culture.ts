/** Requests about schools, young people, social care, culture and the council's services. */
import { parseTopics } from '../parse-topics.ts';

export const schoolsSocialCultureTopics = parseTopics(`
# Schools and Childcare

## Toilets at {school}
The toilets at {school} are so bad that children go without drinking all day.
Please bring the refurbishment forward.
## After-school places in {area}
Thirty-one families in {area} were turned down for after-school care this term.
Please open another group, in the church hall if need be.
## Leaking roof at {school}
When it rains there are buckets in the corridor at {school} and mould on the ceiling.
Please repair the roof before winter and test the air.
## School meals at {school}
Lunch at {school} arrives lukewarm from a kitchen fifty miles away.
Please look at cooking on site again; the kitchen is still there.
## Opening hours at {nursery}
Since staff left, {nursery} closes at half past two.
A borough-wide pool of relief staff would help every setting.
## Counsellor at {school}
The counsellor at {school} is shared between four schools and has a waiting list of five months.
Please fund a full-time post.
## School places in {area}
Hundreds of homes have been built in {area}, but not one extra classroom.
Please publish the forecast and say where the children are meant to go.
## Wifi at {school}
The connection at {school} copes with two classes at a time.
The fibre has been lying in the basement since {since}; please have it connected.
## Swimming lessons
Year 5 at {school} has had no swimming since {since} because the pool is fully booked.
Please give schools priority on weekday mornings.
## Special needs transport
The taxi to {school} has been late or missing eleven times this term.
Please review the contract and listen to the parents.

- Saving on education always costs more in the end.
- The parents’ association voted for this unanimously.
- Staff are doing everything they can, and there is a limit to it.
- Parents are running out of patience.
- The children have been told “soon” for three years now.
- It was in the budget speech, and then it was not in the budget.

# Children and Young People

## Broken swings in {park}
The swings and the slide in {park} have been taped off since {since}.
Please mend them before the summer holidays.
## Skate park in {park}
The ramps in {park} are rotten plywood and lethal when wet.
We would like concrete, and we would like to help design it. 🛹
## Youth club in {area}
There is nowhere in {area} for anyone over twelve except the bus shelter.
Two evenings a week in the old library would be a start.
## Goalposts in {park}
We play football in {park} with jumpers for goalposts because the real ones were taken away for painting.
Please bring them back.
## Inclusive playground
My daughter uses a wheelchair and there is not one piece of equipment in {park} she can use.
A level roundabout and a raised sand table would be a beginning.
## Rehearsal rooms
Our band practises in a garage in {area} until the neighbours ring.
Please open up an unused basement somewhere in the borough.
## Outdoor gym in {park}
We do pull-ups on the climbing frame in {park} and the little ones understandably object.
A few bars and a soft floor are all we need 💪
## Holiday activities
The free holiday places for {area} were gone in eleven minutes.
Please offer more of them, and draw lots.
## Youth council
The youth council hears about plans like the one for {park} after they are decided.
Give it the right to speak and to put motions at committees.
## Shade for the sandpit in {park}
The sandpit in {park} is in full sun from ten to five.
A sail, or two quick-growing trees, please.

- There are hardly any places left where you can be without buying something.
- It came top of the list at the youth forum.
- Boredom is behind most of what people complain about.
- In our school survey 212 out of 260 were in favour.
- It was promised before the last election.
- Young people are asked far too rarely.

# Health and Social Care

## Dropped kerbs on {street}
There is not a single dropped kerb on {street}, so I cannot get across with my walker.
Please lower them at the junctions at least.
## Tactile paving at {square}
The tactile paving at {square} leads straight into the tables of a restaurant.
Please re-route it and keep it clear.
## Lift at {stop}
The lift at {stop} is out of order more often than it works.
Please replace it, and publish faults online so that we do not find out on arrival.
## Warm space in {area}
The warm space in {area} closed in spring and nothing has been said about this winter.
Please confirm it early so that volunteers can plan.
## GP surgery in {area}
The last surgery in {area} shuts at Christmas.
Please work with the health board on a branch practice.
## Carers’ respite
I look after my husband in {area} and have not had a day off since {since}.
Please restore the respite grant.
## Food bank premises
The food bank near {square} has to move for the third time in two years.
Please give it a permanent home in a council building.
## Letters in plain English
My neighbours in {area} bring me their council letters because nobody understands them.
Please write plainly and offer translations of the important ones.
## Rough sleepers near {stop}
People sleep in the passage near {stop} even in frost.
Please open the night shelter earlier in the year, and let dogs in.
## Benches on the way to the surgery
Between {street} and the health centre there is nowhere to sit down.
One bench every two hundred yards would let people get there on their own.

- Taking part should not end at the kerb.
- It affects more people than you see.
- Many are too proud to ask.
- The disability forum found the same on its walk-round.
- All of us will depend on it one day.
- Volunteers cannot carry this on their own any more.

# Culture, Sport and Libraries

## Library hours in {area}
The library in {area} is closed exactly when families have time.
Please open it on Sundays with self-service.
## Sports hall at {school}
Our club is down to one hour a week in the hall at {school}.
Please publish the bookings and share out the hours nobody uses.
## The little cinema on Ropewalk
The little cinema on Ropewalk has been given notice for the end of the year.
Please help it to find another home.
## Floodlights in {area}
Only two of the eight floodlights in {area} still work, so we train in the dark.
Please switch to LED; the savings would pay for it.
## Mural near {stop}
The wall near {stop} is painted grey every month and tagged again every week.
Give it to young artists instead. 🎨
## Memorial at Weavers’ Cross
Nothing at Weavers’ Cross tells you about the mill fire of 1893 and the people who died there.
A modest memorial, designed with the schools, would be fitting.
## Christmas lights in {area}
Traders in {area} can no longer afford the insurance for the Christmas lights.
Please cover it from the events budget.
## Open-air stage in {park}
The stage in {park} is wonderful, but the wiring is from the seventies.
Please renew it and let local groups hire it cheaply.
## Museum store
The museum’s collection is kept in a damp cellar on {street}.
Please find a dry store before it is ruined.
## Pétanque in {park}
We play pétanque on the gravel path in {park} and are in everybody’s way.
One simple pitch and two benches would do.

- Clubs are what holds this place together.
- It brings together people who would otherwise never meet.
- We are glad to bring our own time and tools.
- Interest has grown a great deal in recent years.
- Once it is gone it will not come back.
- Culture is not a luxury.

# Council and Digital Services

## Appointments at the customer centre
The next free appointment at the customer centre for {area} is in nine weeks.
Please bring back drop-in hours.
## Streaming of meetings
If you live in {area} and work shifts, you cannot attend a single council meeting.
Please stream them, with subtitles.
## Open data
The traffic counts for {street} are only available as a photograph of a table.
Please publish such figures in a form a computer can read.
## No signal in {area}
In many houses in {area} you cannot even ring for an ambulance.
Please offer council roofs to the network operators.
## Fault reports closed too early
My report about {street} was marked “resolved” although nothing had happened.
Please give a reason when a report is closed.
## Participatory budget
Residents have no say over the money for places like {park}.
Set aside a small budget on which we can vote ourselves.
## Council tax letters
The council tax letter that came to {street} was six pages long and I still do not know what to pay.
Please put the amount and the date at the top.
## Free wifi at {square}
The free wifi at {square} drops out every few minutes.
Please fix it or switch it off.
## Mobile office in {area}
From {area} it takes two buses to reach the town hall for a signature.
Please send a mobile office once a month.
## Planning portal
The planning portal logs you out while you are typing an objection about {street}.
Please let us save a draft.

- Openness builds trust.
- It wastes everybody’s time, including that of the staff.
- Other boroughs of this size have managed it for years.
- The people at the town hall are very helpful; the procedures are not.
- Not everyone has a smartphone, but everyone has a right to an answer.
- My first enquiry got an automatic reply and nothing else.
`);
