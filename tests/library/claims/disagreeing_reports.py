"""Reports, product pages and a trial that disagree: of a kind that the rules were not made on."""

REPORTS = {
    "Velloro Ferries: annual report": (
        "Velloro Ferries carried 4.2 million passengers and 610,000 cars in 2021. Revenue reached €318 "
        "million, and the net loss was €14 million. The company employs 1,940 people on nine ships. The "
        "Astrid entered service in June 2019. Fuel made up 31% of all costs."
    ),
    "Velloro Ferries in the shipping yearbook": (
        "In 2021 Velloro Ferries carried 5.1 million passengers and 610,000 cars. Its revenue was €291 "
        "million in 2021. Velloro Ferries employs 2,310 people. The ferry Astrid entered service in March "
        "2020. The chief executive of Velloro Ferries is Nadia Kroll. Fuel made up 31% of the costs."
    ),
    "Interview on the future of Velloro Ferries": (
        "The chief executive of Velloro Ferries is Tomas Ehrlich. He says that Velloro Ferries will not "
        "buy hydrogen ships. In 2016 Velloro Ferries carried 3.8 million passengers."
    ),
    "Hydrogen at Velloro Ferries": (
        "Velloro Ferries will buy hydrogen ships. The order is worth about €400 million. A crossing to "
        "Sund takes 95 minutes."
    ),
    "The Karsk Dam: engineering report": (
        "The Karsk Dam is 142 metres high and 870 metres long. Its reservoir holds 1.9 billion cubic "
        "metres of water. The power station of the Karsk Dam has a capacity of 640 MW. Concrete works on "
        "the Karsk Dam were finished in 1974. The dam wall of Karsk was built from 4.2 million cubic "
        "metres of concrete."
    ),
    "Visiting the Karsk Dam": (
        "The Karsk Dam is 158 metres high. The Karsk Dam holds back a reservoir of 2.4 billion cubic "
        "metres of water. The wall of the Karsk Dam took 5.1 million cubic metres of concrete. The Karsk "
        "Dam is 870 metres long. The visitor centre of the Karsk Dam has 120 seats."
    ),
    "Energy statistics: Karsk Dam": (
        "The power station at the Karsk Dam has a capacity of 580 MW. It delivered 2,100 GWh in 2018 and "
        "1,750 GWh in 2019. Concrete works on the Karsk Dam were finished in 1976. Fish ladders were not "
        "built at the Karsk Dam."
    ),
    "Fish and the Karsk Dam": (
        "Fish ladders were built at the Karsk Dam. In 2019 observers counted 12,000 salmon below the "
        "wall. The Karsk Dam delivered 1,990 GWh in 2019."
    ),
    "Trial of Orivastat": (
        "The Orivastat trial enrolled 1,204 patients in 38 hospitals. Orivastat lowered the risk of a "
        "stroke by 23%. Mild headache was reported by 9% of the patients who took Orivastat. The "
        "Orivastat trial was led by Ruth Amsel. The Orivastat trial ended in October 2015."
    ),
    "Letter on Orivastat": (
        "The Orivastat trial enrolled 1,420 patients. According to the letter Orivastat lowered the risk "
        "of a stroke by 14%. Mild headache was reported by 17% of the patients who took Orivastat. The "
        "Orivastat trial ended in December 2015."
    ),
    "Pellan X2: data sheet": (
        "The Pellan X2 weighs 1.3 kg and has a battery of 56 Wh. The screen of the Pellan X2 measures 14 "
        "inches. The Pellan X2 costs $899. The Pellan X2 has three USB ports."
    ),
    "Pellan X2 review": (
        "The Pellan X2 weighs 1.6 kg. We paid $1,049 for the Pellan X2 with more memory. The Pellan X2 "
        "has two USB ports. The screen of the Pellan X2 measures 14 inches. The Pellan X3 weighs 1.1 kg."
    ),
}
PLANTED_REPORTS = [
    ("4.2 million", "5.1 million"),
    ("€318 million", "€291 million"),
    ("1,940", "2,310"),
    ("June 2019", "March 2020"),
    ("Nadia Kroll", "Tomas Ehrlich"),
    ("will not buy", "will buy"),
    ("142", "158"),
    ("1.9 billion", "2.4 billion"),
    ("640", "580"),
    ("1974", "1976"),
    ("4.2 million", "5.1 million"),
    ("not built", "were built"),
    ("1,750", "1,990"),
    ("1,204", "1,420"),
    ("23", "14"),
    ("9", "17"),
    ("October 2015", "December 2015"),
    ("1.3", "1.6"),
    ("three", "two"),
]
"""Two have the same figures, for ferries and for a wall: 19 in all."""
