/** Requests about traffic, cycling, public transport, planning and housing. */
import { parseTopics } from '../parse-topics.ts';

export const trafficHousingTopics = parseTopics(`
# Roads and Traffic

## Zebra crossing outside {school}
There is no safe place to cross outside {school}, and drivers rarely stop for the children.
Please look into a zebra crossing, or at least a lollipop patrol until one is built.
## 20 mph limit on {street}
Cars on {street} regularly do forty, especially {time}.
Please extend the 20 mph zone to the whole length of the road.
## Potholes on {street}
The surface of {street} has been breaking up since {since}; there are craters deep enough to lose a wheel in.
It needs proper resurfacing rather than another bucket of tarmac.
## Pavement parking on {street}
Anyone with a pushchair or a wheelchair has to use the carriageway on {street} because the pavement is full of parked cars.
Please put in bollards or start issuing tickets.
## Pedestrian signal at {square}
At {square} the green man lasts six seconds, which gets my neighbour exactly half-way across.
A few more seconds would make all the difference.
## Lorries through {area}
Since the depot opened, lorries have been using {area} as a shortcut at all hours.
We ask for a 7.5-tonne weight limit and signs that sat navs will actually respect.
## School run at {school}
Every morning the zigzag lines outside {school} are treated as a drop-off bay.
Please trial a School Street that closes the road for half an hour twice a day.
## Street lights out on {street}
Five lamps on {street} have been dark since {since}, and I have reported each of them twice.
Please get them repaired before the clocks go back.
## Residents’ parking around {square}
Commuters leave their cars around {square} all day, so those of us who live here cannot park within half a mile.
A permit scheme on weekdays would solve it.
## Blocked drains on {street}
Whenever it rains, {street} floods from kerb to kerb and passing cars soak everyone at the bus stop.
Please have the gullies jetted and put the street on the regular cleaning round.

- I have lived here long enough to see it get steadily worse.
- A lot of older people walk this way to the shops and the surgery.
- Everybody I have asked on our street agrees.
- The council’s own transport strategy puts walking first.
- It should not take an accident before anything is done.
- For those of us who live here it is a daily nuisance.

# Cycling

## Gap in the cycle lane on {street}
The cycle lane on {street} simply stops and spits you out into fast traffic.
Please join up the two halves with a protected track.
## Cycle stands at {square}
There are six stands at {square} and on a Saturday there must be eighty bikes chained to railings.
Could two parking bays be turned into cycle stands?
## Secure storage near {stop}
I have had two bikes stolen near {stop} in twelve months.
A locked cycle hub with a modest annual fee would be well used.
## Barriers on the path by {water}
The chicane barriers on the path by {water} are impossible with a cargo bike, a trailer or a mobility scooter.
Please replace them with a single bollard.
## Contraflow cycling in {area}
The one-way system in {area} sends people on bikes the long way round, via the ring road.
Please allow cycling in both directions on the quiet streets.
## Bike hangar on {street}
Most homes on {street} are flats with nowhere to keep a bicycle.
We would like a hangar in place of one parking space; eleven households have already put their names down.
## Tree roots on the path through {park}
Roots have lifted the path through {park} so badly that I saw a child thrown off her bike last week.
Please resurface it with something that lets the roots breathe.
## Advanced stop line at {square}
At {square} cyclists wait in the blind spot of every turning lorry.
An advanced stop line and an early green signal would be a cheap improvement.
## Winter gritting near {school}
The cycle route near {school} is never gritted, so families go back to driving from November to March.
Please add the main cycle routes to the gritting rota.
## Lighting on the path by {water}
After four o’clock in winter the path by {water} is pitch black. 🚲
Low solar studs would be enough and would not disturb the bats.

- People will not leave the car at home if the alternative feels dangerous.
- It would make everyday cycling that little bit more normal.
- I cycle all year round, so I know what I am talking about.
- This was in the 2021 walking and cycling plan and then quietly disappeared.
- The counter on the bridge shows numbers going up every year.
- It would cost less than a single junction upgrade.

# Public Transport

## Shelter at {stop}
There is no shelter at {stop}, just a pole in a puddle.
Please install a shelter with a seat you can actually sit on.
## Evening buses to {area}
The last bus to {area} leaves at ten past seven, so anyone on a late shift walks home.
We need at least an hourly service until eleven.
## Step-free access at {stop}
The kerb at {stop} is too low for the ramp, so wheelchair users are left behind.
Please raise it as part of this year’s programme.
## Overcrowded school bus
The 8.05 to {school} is full before it reaches our stop, and children are left on the pavement.
Please ask the operator for a second bus.
## Real-time display at {stop}
The display at {stop} has shown “Please see timetable” since {since}, and there is no timetable.
Please repair it, or take it away and stop pretending.
## Missed connection at {stop}
The number 12 leaves {stop} two minutes before the train gets in. Every hour. All day.
Moving it by five minutes would double its usefulness.
## Bus gate on {street}
Buses spend longer queuing on {street} than on the rest of the route put together.
A bus gate at peak hours would make the timetable believable again.
## Fares for young people
A return from {area} costs a seventeen-year-old more than a film ticket.
Please bring in a flat one-pound fare for under-nineteens.
## Dial-a-ride in {area}
Since the community minibus was withdrawn, several people in {area} have not been to the shops on their own.
Please fund dial-a-ride again, even if only two days a week.
## Seats and light at {stop}
I wait at {stop} {time} and it is dark, with nowhere to sit.
A solar light and a bench would cost very little.

- Not everybody can drive, and not everybody wants to.
- The operator says it is up to the council and the council says it is up to the operator.
- My mother is eighty-six and depends on it.
- It decides whether young people here can take a job or not.
- You cannot cut traffic without giving people another way to travel.
- Reliability matters more to most of us than free wifi on board.

# Planning and Housing

## Affordable homes in {area}
Every new scheme in {area} starts with a third affordable housing and ends with none.
Please hold developers to what they promised at committee.
## Empty homes on {street}
Three houses on {street} have been boarded up since {since} while families live in temporary rooms.
Please use the empty homes powers you already have.
## Noise from the site near {school}
Piling near {school} starts before seven in the morning and goes on during exams.
Please enforce the agreed working hours.
## Tall building by {park}
The proposed twelve-storey block would put most of {park} in shade from October to March.
Please ask for a lower design and a proper daylight study.
## Saving the old corn mill
The old corn mill on Upper Mill Road is losing its roof slate by slate.
Please serve a repairs notice before there is nothing left to repair.
## Community land in {area}
The former depot in {area} has been a fenced-off field of buddleia for nine years.
Offer it to a community land trust rather than to the highest bidder.
## Illuminated advert on {street}
A digital billboard on {street} now lights up our bedroom like a fairground.
Please require it to be switched off at night.
## Safe walkway past the works on {street}
The pavement on {street} is closed for the building works with no way round except the road.
Please insist on a fenced walkway.
## Damp in council flats in {area}
The flats in {area} have black mould in nearly every bathroom, and the advice we get is to open a window.
Please inspect the ventilation, not the tenants.
## Shopfronts around {square}
The Victorian shopfronts around {square} are vanishing behind plastic panels and roller shutters.
A design guide and small grants would help owners do better.

- Decisions like this shape a place for decades.
- Mistakes made now will still be visible in a century.
- It comes down to how we want to live together.
- We do not want to stop things; we want them done well.
- We only ever hear of these things from a laminated notice on a lamp post.
- The last consultation ran for two weeks in August.
`);
