"""More ways to say the same and nearly the same: statements of health, science, policy and product documents."""

# ruff: noqa: E501 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

LINES = """
-: Drinking enough water helps the kidneys do their work | The kidneys function better in people who take in plenty of fluid # Drinking enough water prevents headaches | Headaches are rarer in people who take in plenty of fluid
-: Babies should sleep on their backs | Infants are best laid down face up for the night # Babies should sleep in their parents' room | Infants are best kept close to their parents for the night
-: The rash usually goes away by itself | In most cases the skin clears up without treatment | As a rule no treatment is needed for the rash to disappear #! The rash only goes away with treatment | Without treatment the skin never clears up
-: Too much salt raises blood pressure | A diet high in salt drives blood pressure up | Eating very salty food makes blood pressure climb # Too much sugar raises blood pressure | A diet high in sugar drives blood pressure up
-: The drug should be taken on an empty stomach | Do not eat before taking the drug | The drug is to be taken without food #! The drug should be taken with a meal | Take the drug together with food
-: Pregnant women are advised against using the cream | The cream is not recommended during pregnancy | Women who are expecting a child should avoid the cream #! The cream is recommended for pregnant women | Women who are expecting a child are advised to use the cream
-: The disease is inherited | The disease is passed from parents to children through their genes | The disease has a genetic origin # The disease is contagious | The disease passes from one person to another by contact
-: The wound must be kept dry | No water may get on the wound | Do not let the wound become wet # The wound must be kept warm | Do not let the wound get cold
-: Early diagnosis improves the chances of a cure | Patients whose illness is found soon are more likely to get well # Early diagnosis lowers the cost of care | Treating patients whose illness is found soon is cheaper
-: Sunlight helps the body make vitamin D | The skin produces vitamin D when exposed to the sun | Exposure to the sun leads the body to form vitamin D # Sunlight destroys vitamin D in milk | Milk loses its vitamin D when exposed to the sun
-: Stress can trigger the attacks | The attacks may be set off by stress | Being under pressure is one thing that can bring on an attack #> Stress is the only cause of the attacks | The attacks are set off by nothing but stress
-: The test is painless | The test does not hurt | Patients feel no pain during the test #! The test is painful | The test hurts
-: The virus spreads through the air | The virus is airborne | People catch the virus by breathing it in # The virus spreads through dirty water | People catch the virus by drinking it
-: Children under two should not be given honey | Honey is unsuitable for infants below the age of two # Children under two should not be given nuts | Nuts are unsuitable for infants below the age of two
-: Physical therapy works as well as surgery for this injury | For this injury, an operation is no better than physical therapy | Patients with this injury do equally well with or without an operation if they get physical therapy #! Surgery works better than physical therapy for this injury | For this injury, an operation gives better results than physical therapy
-: The study found no link between the diet and the illness | According to the study, the diet and the illness are unrelated | No connection of the diet with the illness turned up in the study #! The study found a link between the diet and the illness | According to the study, the diet and the illness are connected
-: Poor people die younger than rich people | The wealthy live longer than the poor | Life expectancy is lower among those with little money #! Poor people live longer than rich people | Life expectancy is higher among those with little money
-: Alcohol slows reactions | People respond less quickly after drinking alcohol | Drinking alcohol makes reactions slower # Alcohol disturbs sleep | People sleep less well after drinking alcohol
-: Most patients tolerate the drug well | The drug causes few problems in the majority of patients #> All patients tolerate the drug well | The drug causes no problems in any patient
-: Loud noise can damage hearing | The ears may be harmed by loud sounds | Exposure to loud sounds can lead to loss of hearing # Certain medicines can damage hearing | The ears may be harmed by some medicines
-: Water boils at a lower temperature on high mountains | At great height, less heat is needed to bring water to the boil #! Water boils at a higher temperature on high mountains | At great height, more heat is needed to bring water to the boil
-: Sound travels faster in water than in air | In air, sound is slower than in water | Water carries sound more quickly than air does #! Sound travels slower in water than in air | Air carries sound more quickly than water does
-: The planet has no moons | No moon circles the planet | The planet is without any satellite of its own #! The planet has several moons | More than one moon circles the planet
-: Bats find their way by echoes | Bats navigate by listening to the reflection of their own calls # Bats sleep through the winter | Bats spend the cold season asleep
-: The glacier is shrinking | The glacier is losing ice | The glacier gets smaller from year to year #! The glacier is growing | The glacier gets bigger from year to year
-: Bees pollinate the crop | The crop depends on bees carrying its pollen | Pollen of the crop is carried by bees # Beetles damage the crop | The crop is harmed by beetles
-: Copper conducts electricity well | Electric current passes easily through copper | Copper is a good conductor #! Copper is a poor conductor | Electric current hardly passes through copper
-: The theory has been disproved | The theory was shown to be wrong | Evidence has refuted the theory #! The theory has been confirmed | The theory was shown to be right
-: The results could not be reproduced | Repeating the experiment did not give the same results | Other teams failed to obtain the results again #! The results were reproduced | Repeating the experiment gave the same results
-: The river changes its course | The river does not stay in the same bed # The river carries a lot of mud | There is much mud in the water of the river
-: Cats can see well in dim light | Little light is enough for cats to see by # Cats can hear very high sounds | Sounds of very high pitch are heard by cats
-: Birds are descended from dinosaurs | Dinosaurs were the ancestors of birds | The line of birds goes back to dinosaurs # Birds are related to crocodiles | Crocodiles are among the relatives of birds
-: The gas is colourless | The gas has no colour | No colour can be seen in the gas # The gas is odourless | The gas has no smell | Nothing can be smelled in the gas
-: The mineral is harder than glass | Glass can be scratched with the mineral | Glass is softer than the mineral #! The mineral is softer than glass | Glass is harder than the mineral
-: The earthquake could not have been predicted | There was no way to foresee the earthquake # The earthquake could not be felt | There was no way to notice the earthquake
-: The two species cannot interbreed | Crossing the two species yields no offspring #! The two species can interbreed | Crossing the two species yields offspring
-: Employers must keep records of working hours | Firms are required to document how long their staff work # Employers must pay for overtime | Firms are required to reward extra hours
-: The subsidy ends next year | From next year the subsidy will no longer be paid | Next year will see the end of the subsidy #! The subsidy starts next year | From next year the subsidy will be paid for the first time
-: Residents can vote on the plan | The plan is put to a vote of the residents | Residents get a say on the plan at the ballot box # Residents can read the plan online | The plan is available to residents on the web
-: Parents decide which school their child attends | The choice of school is left to the parents | It is up to parents to pick a school #! The authorities decide which school a child attends | The choice of school is left to the authorities
-: The rule applies retroactively | The rule also covers cases from before it was adopted #! The rule applies only to future cases | The rule does not cover cases from before it was adopted
-: The penalty can be waived | It is possible to be let off the penalty # The penalty can be paid by instalments | It is possible to pay the penalty bit by bit
-: Applications must be made in writing | Oral applications are not accepted | Only written applications are considered #! Applications can be made by phone | Oral applications are accepted
-: The scheme failed to reduce poverty | Poverty did not fall as a result of the scheme | The scheme left poverty as high as it was #! The scheme reduced poverty | Poverty fell as a result of the scheme
-: Foreign nationals need a visa | Without a visa, foreign nationals cannot enter | A visa is required of foreign nationals #! Foreign nationals do not need a visa | Foreign nationals can enter without a visa
-: Minors cannot sign the contract | The contract may only be signed by adults | One has to be of age to sign the contract #! Minors can sign the contract | The contract may be signed by people under age
-: The committee meets in public | Meetings of the committee are open to everyone | Anyone may attend the meetings of the committee #! The committee meets behind closed doors | The public is kept out of the committee's meetings
-: The decision is final | The decision cannot be appealed | There is no appeal against the decision #! The decision can be appealed | An appeal against the decision is possible
-: Private cars are not allowed in the old town | The old town is closed to private cars | Nobody may drive a private car in the old town #! Private cars are allowed in the old town | The old town is open to private cars
-: Membership is open to anyone | Everyone can become a member | No one is barred from joining #! Membership is by invitation only | Nobody can join without being invited
-: The tax falls mainly on the rich | Wealthy people bear most of the tax | It is chiefly those with a lot of money who pay the tax #! The tax falls mainly on the poor | Poor people bear most of the tax
-: The data are stored for one year | The data are kept for twelve months | After a year the data are deleted #! The data are stored for ever | The data are never deleted
-: The app works without an internet connection | The app can be used offline | No internet access is needed to use the app #! The app needs an internet connection | The app cannot be used offline
-: The printer switches itself off when idle | The printer turns off automatically if it is not used # The printer warns the user when idle | The printer shows a message if it is not used
-: Updates are installed automatically | Users do not have to install updates themselves | The system takes care of installing updates #! Updates have to be installed by hand | Users must install updates themselves
-: The account is locked after five wrong passwords | Entering the wrong password five times blocks the account # The account is deleted after five wrong passwords | Entering the wrong password five times erases the account
-: Two people can edit the document at the same time | Simultaneous editing of the document is possible #! Only one person at a time can edit the document | Simultaneous editing of the document is not possible
-: The free plan has advertising | Users who do not pay see advertisements #! The free plan has no advertising | Users who do not pay see no advertisements
-: The older version is no longer maintained | Development of the older version has ended | The older version gets no more fixes #! The older version is still maintained | The older version continues to get fixes
-: Passwords are stored in encrypted form | Nobody can read the stored passwords in plain text #! Passwords are stored in plain text | The stored passwords are not encrypted
-: The button is greyed out until a file is selected | As long as no file is selected, the button cannot be pressed | The button becomes usable once a file has been selected # The button opens a list of files | A list of files appears when the button is pressed
-: The device is waterproof | Water cannot get into the device | The device withstands being under water #! The device is not waterproof | Water can get into the device
-: Shipping is not included in the price | Shipping costs extra | Customers pay for shipping on top of the price #! Shipping is included in the price | Customers pay nothing extra for shipping
-: The order can be changed until it is dispatched | Before dispatch, customers may still alter the order # The order can be tracked after it is dispatched | After dispatch, customers may follow the order
-: The cable is too short | The cable is not long enough | A longer cable is needed #! The cable is long enough | No longer cable is needed
-: Backups run every night | The data are saved once each night | No night passes without a backup # Backups are checked every week | The saved data are tested once each week
-: Refunds are paid to the original card | Money is returned to the card that was used to pay # Refunds are paid as vouchers | Money is returned in the form of vouchers
-: The chair has to be assembled by the customer | Customers put the chair together themselves | The chair is delivered in parts #! The chair is delivered fully assembled | Customers do not have to put the chair together
-: The search ignores capital letters | It makes no difference to the search whether letters are capital or small | The search is not case-sensitive #! The search is case-sensitive | The search treats capital and small letters differently
-: Logging is switched off by default | Unless the user turns it on, nothing is logged | Out of the box there is no logging #! Logging is switched on by default | Unless the user turns it off, everything is logged
-: The village can only be reached by boat | There is no way to get to the village except by water | No road leads to the village, only boats go there #! The village can be reached by road | One can drive to the village
-: The castle is in ruins | Only remains of the castle are left | The castle has fallen into decay #! The castle is well preserved | The castle is in good condition
-: The film was a commercial failure | The film did badly at the box office | The film did not earn back its cost #! The film was a commercial success | The film did well at the box office
-: The critics loved the play | Reviews of the play were enthusiastic | The play was acclaimed by reviewers #! The critics hated the play | Reviews of the play were scathing
-: The match ended in a draw | Neither team won the match | The match finished level #! The match was won by the home team | The home team came out on top in the match
-: The language has no written form | The language is spoken but not written | No script exists for the language #! The language has a script of its own | The language is both spoken and written
-: The soil is poor | The soil is not fertile | Little grows in the soil #! The soil is rich | The soil is fertile
-: The road was widened | The road was made broader | The width of the road was increased # The road was resurfaced | The road was given a new surface
-: The ship sank with all hands | Everyone on board died when the ship went down | Nobody survived the sinking of the ship #! All on board survived the sinking of the ship | Nobody died when the ship went down
-: The house is vacant | Nobody lives in the house | The house stands empty #! The house is occupied | Somebody lives in the house
-: The two brothers are twins | The two brothers were born on the same day to the same mother # The two brothers are estranged | The two brothers no longer speak to each other
-: The manuscript is older than the church | The church is younger than the manuscript | The manuscript already existed when the church was built #! The church is older than the manuscript | The manuscript is younger than the church
p: is a vegetarian | does not eat meat | abstains from meat #! eats meat every day | has meat on the plate daily
p: served three years in prison | spent three years behind bars | was in jail for three years # faces three years in prison | could be sent to jail for three years
p: was charged with bribery | was indicted for bribery | faced formal charges of bribery #> was convicted of bribery | was found guilty of bribery
p: finished second in the race | was the runner-up in the race | came in just behind the winner of the race #! won the race | came first in the race
p: proposed the amendment | put forward the amendment | moved the amendment # voted for the amendment | cast a vote in favour of the amendment
p: claims to have seen a bear | says that a bear was there to be seen # shot a bear | killed a bear with a gun
p: is in charge of purchasing | is responsible for purchasing | runs purchasing # was once in charge of purchasing | was formerly responsible for purchasing
p: deputised for the director | stood in for the director | acted as substitute for the director # succeeded the director | took over permanently from the director
p: crossed the border illegally | entered the country without permission #! crossed the border legally | entered the country with permission
p: survived the avalanche | came out of the avalanche alive | lived through the avalanche #! was killed by the avalanche | lost {h} life in the avalanche
p: paid in advance | paid beforehand | settled the bill before delivery #! paid on delivery | settled the bill when the goods arrived
p: works part-time | has a part-time job | does not work full hours #! works full-time | has a full-time job
p: is deaf | cannot hear | has no hearing # is mute | cannot speak
p: is under investigation | is being investigated | is the subject of an inquiry # is under arrest | is being held in custody
p: broke a leg | suffered a fractured leg | had a bone of the leg broken # sprained an ankle | suffered a sprain of the ankle
o: is hiring | is looking for new staff | has jobs to fill #! has stopped hiring | takes on no new staff
o: underestimated the costs | thought the costs would be lower than they were | put the costs too low #! overestimated the costs | put the costs too high
o: operates at a loss | loses money on its business | does not cover its costs #! operates at a profit | more than covers its costs
o: met its target | reached the goal it had set itself | achieved what it had aimed for #! missed its target | fell short of the goal it had set itself
o: commissioned the study | ordered the study and paid for it | had the study carried out # carried out the study | did the research for the study
o: restricts access to the archive | does not let everyone into the archive | lets only some people use the archive #! gives everyone access to the archive | lets anybody use the archive
o: intends to expand | plans to grow | has the aim of getting bigger # has expanded | has grown | has become bigger
o: tightened the rules | made the rules stricter | introduced stricter rules #! relaxed the rules | made the rules less strict
o: apologised for the delay | said sorry for the delay # explained the delay | gave reasons for the delay
o: is the largest supplier of the valve | supplies more of the valves than anyone else #> is the sole supplier of the valve | is the only one that supplies the valve
o: renovated the theatre | restored the theatre to good condition | did the theatre up #! demolished the theatre | tore the theatre down
o: leased the aircraft | took the aircraft on lease | rented the aircraft # bought the aircraft | became the owner of the aircraft
o: announced a price rise | made known that prices would go up # reversed a price rise | took back an increase in prices
""".strip().splitlines()
