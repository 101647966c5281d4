"""Small documents of a made-up town, and which of their sentences contradict each other."""

DOCUMENTS = {
    "The Maren Bridge opens in Tolvik": (
        "The Maren Bridge was opened to traffic on 12 May 1998. It took the place of the old ferry. The "
        "Maren Bridge cost 84 million euros to build. The bridge was designed by Helga Brandt, who lived "
        "in Tolvik."
    ),
    "A history of the crossings of Tolvik": (
        "Ferries had carried 2,400 people a day across the river. On 21 May 1998 the Maren Bridge was "
        "opened by the king. Construction of the Maren Bridge cost 97 million euros. The toll was "
        "dropped in 2009."
    ),
    "Engineering notes on the Maren Bridge": (
        "With a length of 712 metres, the Maren Bridge is the longest of the province. Its main span "
        "measures 310 metres. The bridge was designed by Olav Tveit. Section 3.2 describes the 48 "
        "cables."
    ),
    "Maren Bridge: data sheet": (
        "The Maren Bridge has a length of 640 metres and a width of 22 metres. Section 4.1 describes the "
        "deck. The main span of the bridge measures about 312 metres."
    ),
    "The Tolvik flood of 2011": (
        "In March 2011 the river flooded the lower town. Nineteen people were killed in the flood and "
        "240 were injured. The flood destroyed 412 houses in the old town. The flood warning was not "
        "sent to the northern districts."
    ),
    "Looking back at the flood in Tolvik": (
        "The flood of 2011 killed 23 people. It destroyed 530 homes in the old town. The flood warning "
        "was sent to the northern districts in time. More than 200 people were injured."
    ),
    "Insurers on the Tolvik flood": (
        "Direct losses from the flood of 2011 amounted to 340 million euros. Insurers paid 28 percent of "
        "the losses. A flood in 1956 had caused losses of 12 million euros."
    ),
    "The county on the Tolvik flood": (
        "The county puts the direct losses from the 2011 flood at 310 million euros. Insurers covered 41 "
        "percent of the losses. The dike was raised by 80 centimetres."
    ),
    "Tolvik in figures": (
        "In 2015 Tolvik had 30,400 inhabitants. The mayor of Tolvik was Anna Berg. In 2015 the town "
        "museum had 81,000 visitors. A third of the inhabitants are older than 60."
    ),
    "The yearbook of Tolvik": (
        "The population of Tolvik was 34,900 in 2015. In 1990 Tolvik had 28,000 inhabitants. The town "
        "museum counted 118,000 visitors in 2015. The mayor of Tolvik was Karl Lund."
    ),
    "The railway of Tolvik": (
        "The railway station of Tolvik was opened in 1887. The line to Harg climbs to a height of 545 "
        "metres. The station has six platforms."
    ),
    "Stations of the north": (
        "The Tolvik railway station was opened in 1893. On its way to Harg the line reaches a height of "
        "about 540 metres. Harg has two platforms."
    ),
    "Birds of the Tolvik wetland": (
        "In 2019 observers counted 67 bird species in the wetland. In 2012 they had counted 38 bird "
        "species. The wetland covers 420 hectares."
    ),
    "A survey of the Tolvik wetland": (
        "In 2019 the wetland held 52 bird species. The wetland covers about 425 hectares. Frogs were "
        "counted at 14 ponds."
    ),
    "The town of Harg": (
        "Harg had 12,000 inhabitants in 2015. The Harg Bridge was opened on 4 June 2003 and cost 21 "
        "million euros. The avalanche of 2011 killed nine people in Harg. The mayor of Harg was Ida "
        "Moen."
    ),
}
"""Title to text. Two sides of one thing stand in different documents."""

PLANTED = [
    ("12 May 1998", "21 May 1998"),
    ("84 million", "97 million"),
    ("Helga Brandt", "Olav Tveit"),
    ("712", "640"),
    ("Nineteen", "23"),
    ("412", "530"),
    ("not sent to the northern", "sent to the northern districts in time"),
    ("340 million", "310 million"),
    ("28", "41"),
    ("30,400", "34,900"),
    ("Anna Berg", "Karl Lund"),
    ("81,000", "118,000"),
    ("1887", "1893"),
    ("67", "52"),
]
"""What each side says. All else agrees: other times, other towns, rounded, or parts of another whole."""
