/** Requests about parks, waste, the climate and the canal. */
import { parseTopics } from '../parse-topics.ts';

export const parksWasteClimateTopics = parseTopics(`
# Parks and Trees

## Replacement trees on {street}
Nine limes were felled on {street} two winters ago and not one has been replaced.
Please plant this autumn, and water them for the first three summers.
## Benches in {park}
There is not a single bench with a back in the whole of {park}.
Four or five in the shade would let older visitors stay longer than ten minutes.
## Drinking fountain in {park}
On hot days the queue for the only tap in {park} is twenty minutes long.
Please install a proper drinking fountain that also fills bottles.
## Meadow instead of lawn in {park}
The grass in {park} is shaved to the soil every fortnight and goes brown in June.
Let half of it grow as a meadow. 🐝
## Dog-free area in {park}
My son is frightened of dogs and there is nowhere in {park} where they have to be on a lead.
A fenced dog run and a fenced picnic area would keep everybody happy.
## Dangerous branch near {nursery}
A large limb has been hanging loose over the path near {nursery} since the last storm.
Please send a tree surgeon this week.
## Allotments in {area}
The waiting list for an allotment in {area} is now eleven years.
Please split the vacant full plots and open up the field behind the depot.
## Toilets in {park}
The toilets in {park} close at four, which is when school finishes.
Please keep them open until dusk.
## Japanese knotweed behind {street}
Knotweed has spread from the railway land into the gardens behind {street}.
Please take it up with the landowner before it reaches the foundations.
## Bandstand in {park}
The bandstand in {park} has been behind hoardings since {since}.
Even without concerts, please make it safe so that people can shelter under it.

- For a lot of us public green space is the only garden we have.
- The green is why many of us moved here.
- The Friends group has volunteers ready to help.
- The council’s own open spaces strategy names it as an aim.
- The last three summers have shown how badly it is needed.
- Hundreds of people come past here every day.

# Waste and Street Cleaning

## Fly-tipping on {street}
There is a mattress on {street} again, next to the fridge that has been there since {since}.
Please clear it and move the camera that is watching an empty lay-by.
## Overflowing bins in {park}
By Sunday noon every bin in {park} is overflowing and the crows are redecorating.
Bigger bins and a Sunday collection would do it.
## Bottle bank at {square}
People use the bottle bank at {square} at three in the morning.
Please move it a hundred yards, or swap it for one with a quiet chute.
## Dog mess in {area}
You cannot walk a straight line in {area} without stepping in something.
More bins, and the occasional warden, please.
## Food waste collection
Our caddies on {street} are missed about one week in three.
Please find out why and tell us, instead of asking us to report it again.
## Recycling centre opening hours
The tip nearest to {area} shuts at four and needs a booking made the day before.
One late evening a week would cut fly-tipping at a stroke.
## Graffiti at {stop}
The underpass at {stop} is covered in tags, some of them hateful.
Please remove the offensive ones within a day and give the rest of the wall to local artists.
## Cigarette ends outside {nursery}
The pavement outside {nursery} is carpeted with cigarette ends and vape cartridges.
Please clean it properly and put up a bin.
## Takeaway litter around {square}
After every weekend {square} is ankle-deep in boxes and wrappers.
Please ask the takeaways to sponsor bins and an early-morning sweep.
## Leaf clearance on {street}
Wet leaves on {street} are like ice; two people fell last November.
Please sweep in the week they come down and not in January.

- A tidy place tends to stay tidy.
- I get cross about it every single day.
- Our last litter pick filled thirty-four sacks in two hours.
- The crews do their best, but there are clearly too few of them.
- It is the people who follow the rules who end up paying for it.
- It is a sorry welcome for anyone arriving by train.

# Climate and Energy

## Solar panels on {school}
The roof of {school} is flat, faces south and does nothing all day.
Please put panels on it; a community share offer would raise the money in weeks. ☀️
## Shade at {square}
We measured 44 degrees on the paving at {square} last August.
Trees in planters and a canopy over the seating would make it usable again.
## Chargers in {area}
Hardly anyone in {area} has a driveway and there is one public charger for the lot of us.
Lamp-post charging would be quick and cheap.
## Lights left on in {school}
Every light in {school} burns all night, including in the holidays.
Motion sensors would pay for themselves by spring.
## Insulation scheme for {area}
The terraces in {area} leak heat through every wall, and owners do not know whom to trust.
Please set up a street-by-street scheme with vetted installers.
## Rain gardens on {street}
Storm water on {street} goes straight into the sewer and then into the river.
Swap some of the dead verge for rain gardens.
## Heat network for {area}
The hospital boiler in {area} throws away enough heat for several hundred homes.
Please commission the feasibility study that was promised.
## Idling engines outside {school}
Parents sit outside {school} with the engine running for half an hour in winter.
Signs, a friendly word and then fines, please.
## Repair café in {area}
We throw away things in {area} that could be mended with a screwdriver and some patience.
Lend us a room one Saturday a month and we will bring the tools.
## Publishing the carbon figures
Nobody in {area} can say whether the climate plan is on track.
Please publish the tonnes saved each year, even when the number is embarrassing.

- The borough declared an emergency and it ought to look like one.
- The longer we wait, the more it will cost.
- It saves more than it costs.
- The grant window closes in March.
- A thing you can see and touch convinces people better than a leaflet.
- The local energy co-operative has offered to help.

# Canal and Riverside

## Towpath by {water}
The towpath by {water} has collapsed in two places and is fenced off with orange netting.
Please press the navigation trust for a date.
## Life ring at {water}
The life ring at {water} is missing; only the empty post is left.
Please replace it today and check the others.
## Sewage at {water}
After every storm there are wipes and worse hanging in the reeds at {water}.
Publish the spill data live and put up warning signs for swimmers.
## Swimming spot at {water}
People have swum at {water} for generations, and now there are signs forbidding it without a word of why.
Please designate a bathing place and test the water.
## Moorings at {water}
Boats at {water} have no working water point since {since}.
Please get it reconnected before winter.
## Swans nesting at {water}
Paddleboarders go straight through the reed bed at {water} where the swans nest. 🦢
A floating rope and a clear sign from March to June would be enough.
## Flood wall for {area}
In the February flood forty homes in {area} had water above the skirting boards.
Please tell us when the wall will be built, or whether it will be built at all.
## Footbridge at {water}
Since the footbridge at {water} was closed it is a two-mile walk to the other bank.
A temporary bridge would reconnect two halves of the same community.
## Late-night noise at {water}
Speakers at {water} go on until three on summer weekends.
We would rather have youth workers there than another sign.
## Wheelchair access at {water}
There are eleven steps down to {water} and no ramp.
A ramp with passing places would open the whole riverside to many more people.

- The water makes this place what it is.
- On a fine weekend thousands of people come here.
- The rowing club has raised it as well.
- The canal society sees it the same way.
- People here have a bond with the water that goes back generations.
- Three agencies are responsible, which in practice means none.
`);
