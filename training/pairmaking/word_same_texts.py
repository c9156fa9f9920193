"""Ways to say the same, and after the sign `#` ways to say something near that is not the same.

A line starts with what its subject is: p a person, o a body, or - for a whole sentence. `#!` means that
the two sides rule each other out, `#>` that the second implies the first.
"""

# ruff: noqa: E501 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

LINES = """
p: was acquitted of fraud | was found not guilty of fraud | was cleared of the fraud charge #! was convicted of fraud | was found guilty of fraud
p: was acquitted | was found not guilty by the court | was cleared in court # was released on bail | was let out of custody against a surety
p: resigned from the board | stepped down from the board | gave up the seat on the board #! was dismissed from the board | was voted off the board against {h} will
p: was unable to attend | could not attend | was not in a position to attend # was unwilling to attend | did not want to attend
p: dissented from the ruling | did not agree with the ruling | disagreed with the ruling #! concurred with the ruling | agreed with the ruling
p: deliberately set the barn on fire | committed arson on the barn | burned the barn on purpose #! set the barn on fire by accident | caused the barn fire unintentionally
p: wrote the handbook | is the author of the handbook | is the writer of the handbook # edited the handbook | is the editor of the handbook
p: repaired the turbine | fixed the turbine | got the turbine working again # inspected the turbine | took a close look at the turbine
p: ordered the books | placed an order for the books | put in an order for the books # printed the books | had the books printed
p: died in {X} | passed away in {X} | lost {h} life in {X} # was born in {X} | came into the world in {X}
p: was injured in the crash | was hurt in the crash | suffered injuries in the crash #! escaped the crash unhurt | came out of the crash without a scratch
p: was born in {X} | comes from {X} by birth | has {X} as {h} birthplace # lives in {X} | is resident in {X}
p: studied law in {X} | read law at university in {X} | was a law student in {X} # teaches law in {X} | is a lecturer in law in {X}
p: bought the orchard | purchased the orchard | became the owner of the orchard by purchase # rented the orchard | took the orchard on lease
p: sold the workshop | parted with the workshop for money | found a buyer for the workshop and made the sale # let the workshop | rented out the workshop
p: got married in {X} | held the wedding in {X} | tied the knot in {X} # got engaged in {X} | became engaged to be married in {X}
p: was promoted to captain | rose to the rank of captain | was made captain #! was demoted from the rank of captain | lost the rank of captain
p: applied for a job at the museum | sought employment at the museum #> was hired by the museum | was taken on by the museum | got a job at the museum
p: founded the choir | set up the choir | established the choir | is the founder of the choir # conducts the choir | is the conductor of the choir
p: confessed to the theft | admitted the theft | owned up to the theft #! denied the theft | said that the theft accusation was untrue
p: witnessed the accident | saw the accident happen | was an eyewitness of the accident # caused the accident | brought about the accident
p: was nominated for the medal | was put forward for the medal | was suggested as a winner of the medal #> was awarded the medal | received the medal | was given the medal
p: retired in spring | went into retirement in spring | ended {h} working life in spring # started work in spring | took up the job in spring
p: lent the camera to a friend | let a friend borrow the camera # gave the camera to a friend as a present | made a friend a gift of the camera
p: apologised to the guests | said sorry to the guests | offered the guests an apology # thanked the guests | expressed gratitude to the guests
p: praised the proposal | spoke highly of the proposal | had kind words for the proposal #! criticised the proposal | found fault with the proposal
p: supports the ban | is in favour of the ban | backs the ban #! opposes the ban | is against the ban
p: kept the news secret | told nobody the news | did not disclose the news #! made the news public | disclosed the news to everyone
p: quit smoking | gave up smoking | no longer smokes after years of it #! took up smoking | began to smoke
p: recovered from the illness | got well again after the illness | was restored to health after the illness # was treated for the illness | underwent treatment for the illness
p: inherited the farm from an aunt | was left the farm by an aunt | came into the farm on an aunt's death # bought the farm from an aunt | purchased the farm from an aunt
p: translated the novel | rendered the novel into another language | produced the translation of the novel # reviewed the novel | wrote a review of the novel
p: designed the bridge | drew up the design of the bridge | was the designer of the bridge # financed the bridge | paid for the construction of the bridge
p: was arrested at the station | was taken into custody at the station | was detained at the station # was questioned at the station | was interviewed at the station
p: drove to work | went to work by car | travelled to work behind the wheel #! walked to work | went to work on foot
p: speaks fluent Finnish | has a perfect command of Finnish | is fluent in Finnish # is learning Finnish | takes lessons in Finnish
p: arrived late | did not arrive on time | was not punctual #! arrived on time | was punctual
p: has no siblings | is an only child | has neither brothers nor sisters #! has two brothers | is one of three children
p: lives alone | shares the flat with nobody | has no one else living in the home #! lives with a flatmate | shares the home with someone
p: won the election | came first in the election | was elected #! lost the election | was defeated in the election
p: ran for mayor | was a candidate for mayor | stood in the mayoral election #> was elected mayor | won the mayoral election
p: took out a loan | borrowed money from a bank | obtained credit from a bank #> paid off a loan | repaid a bank loan in full
p: chairs the committee | heads the committee | presides over the committee # sits on the committee as an ordinary member | is a rank-and-file member of the committee
p: replaced the filter | put in a new filter | exchanged the filter for a new one # cleaned the filter | removed the dirt from the filter
p: was treated with the ointment | had the ointment applied #> had an allergic reaction when treated with the ointment
p: was expelled from the school | was thrown out of the school | had to leave the school as a punishment # graduated from the school | completed the school successfully
p: forged the signature | faked the signature | put a false signature on the page # checked the signature | verified the signature
p: discovered the comet | was the first to find the comet | made the discovery of the comet # named the comet | gave the comet its name
p: composed the score | wrote the music | is the composer of the score # conducted the score | led the orchestra in the score
p: took part in the march | joined the march | was among the marchers # organised the march | was the organiser of the march
p: was poor all {h} life | never had much money | lived in lasting poverty #! was wealthy all {h} life | always had plenty of money
p: emigrated to {X} | left the country to settle in {X} | moved abroad for good, to {X} # visited {X} as a tourist | took a holiday in {X}
p: fell ill on the voyage | became sick on the voyage | was taken ill at sea # died on the voyage | lost {h} life at sea
p: adopted a child | became a parent by adoption # had a child | became a parent by birth
p: failed the driving test | did not pass the driving test | was unsuccessful in the driving test #! passed the driving test | was successful in the driving test
p: appealed against the sentence | lodged an appeal against the sentence | asked a higher court to change the sentence # served the sentence | spent the term in prison
p: complained about the noise | made a complaint about the noise | objected to the noise # caused the noise | was the source of the noise
p: signed the lease | put {h} signature to the lease | entered into the lease in writing # terminated the lease | gave notice on the lease
p: postponed the trip | put off the trip | delayed the trip to a later date #! cancelled the trip | called off the trip for good
p: leads the research group | is in charge of the research group | is the head of the research group # works in the research group | is employed in the research group
p: lost the key | mislaid the key | could no longer find the key # copied the key | had a duplicate of the key made
p: ignored the warning | took no notice of the warning | paid no heed to the warning #! heeded the warning | acted on the warning
p: doubted the story | was not convinced by the story | was sceptical about the story #! believed the story | took the story to be true
p: donated a kidney | gave one of {h} kidneys to someone | was a kidney donor # received a kidney | was given a donor kidney
p: is left-handed | writes with the left hand by nature | favours the left hand #! is right-handed | favours the right hand
p: can read but not write | is able to read, yet unable to write #! can both read and write | is able to read and write
o: approved the plan | gave its consent to the plan | gave the plan the green light # submitted the plan for approval | asked for consent to the plan
o: rejected the offer | turned down the offer | said no to the offer #! accepted the offer | said yes to the offer
o: recalled the car seats | called the car seats back | asked buyers to return the car seats # tested the car seats | put the car seats through tests
o: went bankrupt | became insolvent | was declared bankrupt # changed its name | adopted a new name
o: shut the plant | closed the plant down | ceased operations at the plant #! opened the plant | started operations at the plant
o: laid off a third of its staff | made a third of its workers redundant | cut its workforce by a third #! hired a third more staff | increased its workforce by a third
o: is owned by the state | belongs to the state | is state property # is supervised by the state | is under the oversight of the state
o: raised its prices | put up its prices | charges more than before #! lowered its prices | charges less than before
o: halved its emissions | cut its emissions by 50 percent | reduced its emissions to half #! doubled its emissions | let its emissions grow twofold
o: doubled its turnover | increased its turnover by 100 percent | made twice as much in sales as before #! halved its turnover | saw its turnover fall by half
o: offers the course free of charge | charges nothing for the course | does not ask for a fee for the course #! charges a fee for the course | offers the course only against payment
o: postponed the launch | put the launch off | moved the launch to a later date #! brought the launch forward | moved the launch to an earlier date
o: sued the supplier | took the supplier to court | brought a lawsuit against the supplier # paid the supplier | settled the supplier's bills
o: shipped the goods | dispatched the goods | sent off the goods # ordered the goods | placed an order for the goods
o: made a profit | earned more than it spent | was in the black #! made a loss | spent more than it earned | was in the red
o: denied any wrongdoing | said it had done nothing wrong | rejected all accusations #! admitted wrongdoing | conceded that it had done wrong
o: merged with its rival | joined with its rival to form one company | became one company with its rival # competes with its rival | is in competition with its rival
o: extended the deadline | gave people more time | moved the closing date back #! shortened the deadline | gave people less time
o: published the minutes | made the minutes public | released the minutes # destroyed the minutes | got rid of the minutes
o: banned smoking | made smoking forbidden | no longer permits smoking #! permits smoking | allows people to smoke
o: was fined | had to pay a fine | was ordered to pay a penalty # was inspected | underwent an inspection
o: subsidises the ferry | gives the ferry financial support | helps to pay for the ferry # operates the ferry | runs the ferry
o: moved to {X} | relocated to {X} | shifted its seat to {X} # opened a branch in {X} | set up an additional office in {X}
o: outsourced its payroll | has its payroll done by an outside firm | handed its payroll over to a contractor #! does its own payroll | keeps its payroll in house
o: doubts the figures | is not convinced by the figures | has reservations about the figures # compiled the figures | put the figures together
o: encourages staff to cycle | urges staff to come by bicycle #> obliges staff to cycle | makes it compulsory for staff to come by bicycle
o: lifted the embargo | ended the embargo | did away with the embargo #! imposed an embargo | introduced an embargo
o: is short of nurses | does not have enough nurses | suffers from a lack of nurses #! has plenty of nurses | has more nurses than it needs
o: insures the building | provides insurance cover for the building # built the building | put up the building
o: is exempt from the tax | does not have to pay the tax | is freed from the tax #! is liable for the tax | has to pay the tax
o: has a monopoly on salt | is the only seller of salt | has no competitors in the salt trade #! has several competitors in the salt trade | is one of several sellers of salt
o: withdrew from the treaty | left the treaty | is no longer a party to the treaty #! joined the treaty | became a party to the treaty
o: broke the contract | did not keep to the contract | was in breach of the contract #! honoured the contract | kept to the contract
o: cancelled the order | called off the order | withdrew the order #! confirmed the order | stood by the order
o: took part in the tender | put in a bid for the contract | was among the bidders for the contract #> won the tender | was awarded the contract | came out on top in the tender
o: hired an interpreter | took on an interpreter | gave an interpreter a job # is looking for an interpreter | has a vacancy for an interpreter
o: evacuated the school | had everyone leave the school | got all people out of the school # searched the school | looked through every room of the school
-: {X} is the most populous city in the region | {X} has more inhabitants than any other city in the region | no city in the region has as many people as {X} # {X} is the oldest city in the region | no city in the region is as old as {X}
-: The medicine relieves pain | The medicine eases pain | The medicine makes pain less severe # The medicine cures the disease | The medicine makes the disease go away for good
-: Coffee consumption is associated with better memory | People who drink coffee tend to have better memory #> Coffee improves memory | Drinking coffee causes memory to get better
-: The bridge was destroyed in the flood | The flood wrecked the bridge completely | Nothing of the bridge was left after the flood # The bridge was closed during the flood | Nobody could use the bridge while the flood lasted
-: Admission is free | Entry costs nothing | There is no charge for admission | Visitors do not have to pay to get in #! Admission must be paid for | There is an entrance fee
-: The file is read-only | The file cannot be changed | The file can be opened but not modified #! The file can be edited | The file may be modified
-: The shop is open around the clock | The shop never closes | The shop is open 24 hours a day #! The shop closes at night | The shop is shut overnight
-: Regular exercise lowers blood pressure | Blood pressure falls in people who are physically active on a regular basis | Being active often brings blood pressure down # Regular exercise replaces blood pressure medication | People who are physically active often can do without blood pressure tablets
-: Hand washing prevents the spread of infections | Germs are passed on less when people clean their hands | Clean hands keep infections from spreading # Hand washing cures infections | People who are infected get well by cleaning their hands
-: Antibiotics do not work against viruses | Viral illnesses cannot be treated with antibiotics | Antibiotics are useless against a virus #! Antibiotics kill viruses | A viral illness can be treated with antibiotics
-: Smoking damages the lungs | The lungs are harmed by tobacco smoke | Tobacco smoke is bad for the lungs # Smoking damages the kidneys | The kidneys are harmed by tobacco smoke
-: Lack of sleep makes it harder to concentrate | People who sleep too little find it difficult to focus | Attention suffers when a person does not get enough sleep # Lack of sleep leads to weight gain | People who sleep too little put on weight
-: The vaccine protects against measles | People who have had the vaccine do not catch measles | The vaccine gives immunity to measles # The vaccine protects against mumps | The vaccine gives immunity to mumps
-: Metal expands when it is heated | Heat makes metal take up more space | As its temperature rises, metal grows in size #! Metal contracts when it is heated | Heat makes metal take up less space
-: Plants take up carbon dioxide from the air | Carbon dioxide is absorbed from the air by plants | Plants draw in carbon dioxide #! Plants cannot absorb carbon dioxide | Carbon dioxide is not taken up by plants
-: The lake freezes every winter | There is no winter in which the lake stays free of ice | Each winter the lake is covered with ice # The lake is used for skating | People skate on the lake
-: Older people are more likely to fall | The risk of falling grows with age | Falls happen more often to the elderly # Older people recover slowly after falling | The time needed to recover from a fall grows with age
-: The password may be changed every month | Users are free to choose a new password monthly #> The password must be changed every month | Users have to choose a new password monthly
-: Deleted messages cannot be recovered | Once a message has been deleted, there is no way to get it back | Deleting a message is final #! Deleted messages can be restored | There is a way to get a deleted message back
-: The setting takes effect after a restart | The device has to be restarted before the setting applies | Until the device is started anew, the setting has no effect #! The setting takes effect at once | No restart is needed for the setting to apply
-: Only administrators can add users | Users can be added by nobody but administrators | Adding users is reserved to administrators #! Anyone can add users | Adding users is open to everybody
-: The battery is included | A battery comes with the product | The product is sold together with a battery #! The battery is sold separately | The product comes without a battery
-: Parcels may be returned within two weeks | Customers have fourteen days to send parcels back # Parcels are delivered within two weeks | Customers wait up to fourteen days for parcels
-: Support is available in English only | Help is offered in no language other than English | Those who need help get it in English alone #! Support is available in several languages | Help is offered in more than one language
-: The warranty does not cover water damage | Damage caused by water is excluded from the warranty | If water harms the device, the warranty does not apply #! The warranty covers water damage | Damage caused by water is included in the warranty
-: Voting is compulsory | Citizens are obliged to vote | By law everyone has to cast a vote #! Voting is voluntary | Nobody is obliged to vote
-: The law applies to all employers | No employer is exempt from the law | Every employer falls under the law #! Small employers are exempt from the law | The law does not apply to some employers
-: Tenants may keep pets | Keeping pets is allowed for tenants | Tenants are permitted to have animals #! Tenants may not keep pets | Keeping pets is forbidden for tenants
-: The species is extinct | The species has died out | No living members of the species remain #! The species is common | Many living members of the species remain
-: The reserves are running low | There is not much left of the reserves | The reserves are almost used up #! The reserves are ample | Plenty is left of the reserves
-: Unemployment fell | Fewer people were out of work than before | The number of jobless went down #! Unemployment rose | More people were out of work than before
-: The two drugs must not be taken together | Combining the two drugs is not allowed | Whoever takes one of the drugs must avoid the other #! The two drugs can safely be combined | It is fine to take both drugs at once
-: The treatment has no side effects | No unwanted effects of the treatment are known to occur | The treatment is free from side effects #! The treatment has side effects | Unwanted effects of the treatment do occur
""".strip().splitlines()
