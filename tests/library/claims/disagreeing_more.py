"""Documents in pairs: what one says otherwise than the other, and what only looks as if it did.

Each subject has two documents. A list of what is planted names what each side says of the same thing; all
else agrees, or is about another stage, year, place, unit, part, person or measure. The later ones were
written after the rules, and looked at before the last of them.
"""

ENGLISH = {
    "The Velmora tram line": (
        "The Velmora tram line was opened on 3 June 2004. The line is 14.2 kilometres long and has 23 "
        "stops. Building the line cost 310 million euros. The first plan of 1998 had put the cost at 190 "
        "million euros. In 2010 the line carried 41,000 passengers a day. The trams were built by Karel "
        "Novak in the works at Brun. Line 2 is 9 kilometres long. The depot holds 28 trams. The ticket "
        "machines do not take coins. The tram did not stop at the hospital in the first year."
    ),
    "Velmora: twenty years of trams": (
        "Trams have run in Velmora since 3 July 2004. With a length of 14,200 metres the line links the "
        "harbour and the hills. The line has 26 stops. The final cost of building the line was 365 "
        "million euros. In 2018 the line carried 63,000 passengers a day. At the weekend 22,000 "
        "passengers a day use the line. Line 3 is 11 kilometres long. The ticket machines take coins. A "
        "new depot for 40 trams is planned for 2030. The stop at the harbour has two platforms."
    ),
    "The Kessin Cup of 2019": (
        "The quarter-finals of the Kessin Cup were watched by 12,400 people. The final was watched by "
        "31,000 people. The semi-finals were played as the best of five games. Marta Lindqvist was the "
        "captain of the winning team. The prize for the winner was 50,000 crowns. In the final the team "
        "of Kessin won by three goals. The cup was first held in 1974. Tickets for the final cost 30 "
        "crowns."
    ),
    "Kessin Cup 2019: a look back": (
        "The final of the Kessin Cup was watched by 36,500 people. The semi-finals were watched by "
        "18,000 people. The final was played as the best of seven games. The winner received a prize of "
        "50,000 crowns. The second team received a prize of 20,000 crowns. The captain of the winning "
        "team was Elena Sorokina. The cup was first held in 1978. In 2018 tickets for the final had cost "
        "25 crowns."
    ),
    "The Orrin Dam": (
        "The Orrin Dam is 104 metres high. Its reservoir holds 840 million cubic metres of water. "
        "Construction began in 1961 and was finished in 1968. During construction 37 workers were "
        "killed. The dam supplies power for 320,000 households. The villages of the valley were not "
        "warned before the dam was filled. The power station has four turbines. The engineer in charge "
        "was Ruth Calder. The spillway is 60 metres wide."
    ),
    "Water of the Orrin valley": (
        "At a height of 341 feet the Orrin Dam is the highest of the region. The reservoir of the dam "
        "holds 790 million cubic metres of water. Construction of the dam was finished in 1971. Some 49 "
        "workers were killed during construction of the dam. The villages of the valley were warned "
        "before the dam was filled. The Tarn Dam is 52 metres high. Its reservoir holds 95 million cubic "
        "metres of water. The crown of the dam is 480 metres long. In the drought of 2003 the reservoir "
        "held 210 million cubic metres of water."
    ),
    "Brightwater Ltd": (
        "Brightwater was founded in 1986 by Thomas Hale. In 2021 the company had 2,300 employees. Its "
        "revenue in 2021 was 410 million dollars. The company has its seat in Dunmore. About 60 percent "
        "of sales come from pumps. Brightwater did not pay a dividend in 2020. The plant in Dunmore "
        "makes 1,200 pumps a week. Its chief executive is Paula Reyes."
    ),
    "Brightwater: a company portrait": (
        "Brightwater was founded by Arthur Quill. In 2021 the company had 2,900 employees. The revenue "
        "of the company in 2019 was 355 million dollars. Its profit in 2021 was 38 million dollars. "
        "Pumps make up 45 percent of sales. Brightwater did pay a dividend in 2020. The plant in Alder "
        "makes 700 pumps a week. Two of its five directors are women. In Europe the company had 640 "
        "employees in 2021."
    ),
    "The fever in Luma": (
        "The fever of 2014 killed 118 people in Luma. In all 960 people fell ill. The first case was "
        "found on 7 February 2014. Half of the ill were children. The hospital of Luma had 90 beds. The "
        "vaccine did not reach the island of Pell. The outbreak lasted 14 weeks. In the north of Luma 40 "
        "people fell ill."
    ),
    "Luma after the fever": (
        "In Luma the fever of 2014 killed at least 110 people. In all 1,340 people fell ill in 2014. The "
        "first case was found on 19 February 2014. The last case was found on 30 May 2014. The vaccine "
        "did reach the island of Pell. The fever of 1931 had killed 2,000 people. In the first week 25 "
        "people fell ill. In the capital 300 people fell ill. The outbreak lasted 17 weeks."
    ),
    "Castle Hohn": (
        "Castle Hohn was built in 1342. Its tower is 48 metres tall. The castle was owned by Countess "
        "Adela Wirth. The castle has 86 rooms. In 1689 a fire destroyed the west wing. Each year 74,000 "
        "visitors come to the castle. Guided tours take 45 minutes. The well is 92 metres deep. The "
        "garden was laid out in 1720."
    ),
    "A guide to Castle Hohn": (
        "Castle Hohn was built in 1366. The tower of the castle is 53 metres tall. The gate tower is 21 "
        "metres tall. The castle has 86 rooms, of which 30 are open to visitors. A fire destroyed the "
        "west wing in 1698. The east wing was destroyed in 1702. In 2020 only 9,000 visitors came to the "
        "castle. The chapel was built in 1410. The walls are up to 4 metres thick."
    ),
    "The Perrin Observatory": (
        "The Perrin Observatory stands at a height of 2,180 metres. Its mirror measures 3.6 metres. The "
        "telescope was designed by Ines Okafor. It was opened in March 1979. The observatory employs 64 "
        "people. In 1994 the telescope found 212 asteroids. The dome weighs 340 tons. Clouds cover the "
        "sky on 30 percent of nights."
    ),
    "Stars over Perrin": (
        "The mirror of the Perrin Observatory measures 3.9 metres. The telescope was designed by Samuel "
        "Brandt. The observatory was opened in March 1979. A second mirror measures 1.2 metres. In 1995 "
        "the telescope found 388 asteroids. The dome of the observatory weighs 410 tons. The Harlan "
        "Observatory stands at a height of 1,640 metres. In winter clouds cover the sky on 55 percent of "
        "nights."
    ),
    "The election of 2016 in Sandor": (
        "In the election of 2016 the Green List won 23 seats. Turnout in 2016 was 61 percent. The mayor "
        "of Sandor was Hanna Vogt. The Labour Party won 17 seats. In the first round Vogt won 38 percent "
        "of the votes. The council did not approve the budget in 2017. The count took two days. Some "
        "4,100 votes were invalid."
    ),
    "Sandor votes": (
        "The Green List won 27 seats in the election of 2016. Turnout in the election of 2016 was 68 "
        "percent. In the election of 2012 the Green List had won 14 seats. The mayor of Sandor was Peter "
        "Amsel. In the second round Vogt won 52 percent of the votes. The council did approve the budget "
        "in 2017. Among the young, turnout in 2016 was 44 percent. By post 9,800 people voted."
    ),
}

PLANTED_ENGLISH = [
    ("3 June 2004", "3 July 2004"), ("23", "26"), ("310 million", "365 million"),
    ("do not take coins", "take coins"), ("31,000", "36,500"),
    ("Marta Lindqvist", "Elena Sorokina"), ("1974", "1978"), ("840 million", "790 million"),
    ("1968", "1971"), ("37", "49"), ("were not warned", "were warned"),
    ("Thomas Hale", "Arthur Quill"), ("2,300", "2,900"), ("60", "45"), ("did not pay", "did pay"),
    ("960", "1,340"), ("7 February 2014", "19 February 2014"), ("14", "17"),
    ("did not reach", "did reach"), ("1342", "1366"), ("48", "53"), ("1689", "1698"),
    ("3.6", "3.9"), ("Ines Okafor", "Samuel Brandt"), ("340", "410"), ("23", "27"), ("61", "68"),
    ("Hanna Vogt", "Peter Amsel"), ("did not approve", "did approve"),
]  # fmt: skip


CHINESE = {
    "云岭大桥": (
        "云岭大桥于2003年5月通车。大桥全长1280米，宽24米。大桥造价为6.2亿元"
        "。施工期间有7人遇难。主塔高186米。大桥的设计师是李明远。2010年大桥日均通"
        "行车辆3.1万辆。"
    ),
    "云岭大桥建设回顾": (
        "云岭大桥于2004年5月通车。大桥全长1350米。大桥造价为7.8亿元。大桥的设"
        "计师是王学文。2020年大桥日均通行车辆5.6万辆。青石大桥全长640米。引桥长"
        "420米。"
    ),
    "临河县洪水": (
        "2012年7月的洪水造成临河县19人遇难。洪水冲毁房屋860间。全县转移群众3."
        "4万人。直接经济损失为4.5亿元。县里没有提前发布洪水预警。其中东镇冲毁房屋12"
        "0间。1985年的洪水冲毁房屋300间。"
    ),
    "临河县洪水调查": (
        "调查显示，2012年7月的洪水造成临河县26人遇难。洪水冲毁房屋1140间。直接"
        "经济损失为5.9亿元。县里提前发布洪水预警。全县转移群众约3.4万人。西镇转移群"
        "众2600人。灾后重建用了三年。"
    ),
    "海棠镇年鉴": (
        "2015年海棠镇人口为4.2万人。海棠镇镇长是张建国。镇上有小学9所。2015年"
        "茶叶产量为3200吨。博物馆建于1978年。全镇森林覆盖率为61%。"
    ),
    "海棠镇概况": (
        "海棠镇2015年人口为4.9万人。海棠镇镇长是刘志强。2015年茶叶产量为270"
        "0吨。2005年茶叶产量为1500吨。博物馆建于1983年。镇上有中学3所。全镇"
        "耕地占21%。"
    ),
}

PLANTED_CHINESE = [
    ("2003年5月", "2004年5月"), ("1280", "1350"), ("6.2亿", "7.8亿"), ("李明远", "王学文"),
    ("19", "26"), ("860", "1140"), ("4.5亿", "5.9亿"), ("没有提前发布", "县里提前发布"),
    ("4.2万", "4.9万"), ("张建国", "刘志强"), ("3200", "2700"), ("1978", "1983"),
]  # fmt: skip


LATER_ENGLISH = {
    "Norvik ferry disaster": (
        "The ferry Asta sank on 14 October 1987. It carried 212 passengers and 31 crew members. Rescuers "
        "saved 168 people. Ninety-one people died in the sinking. The captain was Johan Strand. The "
        "ferry had 8 lifeboats. The bow door was not closed when the ship left. A second ferry, the "
        "Berit, carried 90 passengers. Divers found the wreck at a depth of 64 metres. The shipping "
        "company paid 22 million crowns to the families."
    ),
    "The sinking of the Asta": (
        "On 16 October 1987 the ferry Asta sank off Norvik. The ship carried 247 passengers. Rescue "
        "boats saved 168 people. The sinking cost 103 lives. The ship's captain was Erik Moberg. The bow "
        "door was closed when the ship left. The wreck lies at a depth of 71 metres. The families "
        "received 35 million crowns from the shipping company. A ferry that sank in 1954 had carried 60 "
        "passengers. In the first hour boats saved 40 people. The sister ship had 12 lifeboats."
    ),
    "The Aldern tunnel fire": (
        "The fire in the Aldern Tunnel broke out on 9 May 2001. Smoke spread over 3 kilometres. "
        "Seventeen lorries burned out. The fire was put out after 31 hours. Eleven people lost their "
        "lives. The tunnel was reopened in December 2001. Repairs cost 46 million francs. The driver of "
        "the first lorry was Luis Pardo. The alarm did not sound in the eastern tube. Before the fire "
        "1,300 lorries a day used the tunnel."
    ),
    "Aldern, ten years on": (
        "In the Aldern Tunnel a fire broke out on 9 May 2001. In all 24 lorries burned out. It took 31 "
        "hours to put out the fire. In the fire 14 people lost their lives. The tunnel was reopened in "
        "March 2002. Repairs to the tunnel cost 58 million francs. The alarm did sound in the eastern "
        "tube. The driver of the first lorry was Marco Berti. A smaller fire in 1996 had burned out two "
        "lorries. Today 900 lorries a day use the tunnel. The road over the pass is 38 kilometres long."
    ),
    "Oakmere University": (
        "Oakmere University was founded in 1894. In 2022 it had 18,400 students. About 22 percent of the "
        "students come from abroad. The rector is Nadia Ferro. The library has 2.1 million volumes. The "
        "campus covers 74 hectares. In 2022 the university spent 310 million dollars on research. "
        "Tuition does not cover housing."
    ),
    "Guide for students of Oakmere": (
        "Founded in 1884, Oakmere University is the oldest of the state. The university had 21,700 "
        "students in 2022. Some 35 percent of the students come from abroad. The rector of the "
        "university is Pavel Simic. The library of the university has 2.1 million volumes. Its campus "
        "covers 91 hectares. The medical school has 2,600 students. The university spent 245 million "
        "dollars on research in 2018. Tuition does cover housing. The stadium has 12,000 seats."
    ),
}

PLANTED_LATER_ENGLISH = [
    ("14 October 1987", "16 October 1987"), ("212", "247"), ("Ninety-one", "103"),
    ("Johan Strand", "Erik Moberg"), ("not closed", "door was closed"), ("64", "71"),
    ("22 million", "35 million"), ("Seventeen", "24"), ("Eleven", "14"),
    ("December 2001", "March 2002"), ("46 million", "58 million"), ("Luis Pardo", "Marco Berti"),
    ("not sound", "did sound"), ("1894", "1884"), ("18,400", "21,700"), ("22", "35"),
    ("Nadia Ferro", "Pavel Simic"), ("74", "91"), ("does not cover", "does cover"),
]  # fmt: skip


LATER_CHINESE = {
    "金沙化工厂爆炸": (
        "2008年3月12日金沙化工厂发生爆炸。爆炸造成23人死亡。爆炸造成160人受伤"
        "。工厂有职工1200人。厂长是陈国栋。事故损失为9800万元。仓库没有安装报警器"
        "。2001年的爆炸造成4人死亡。"
    ),
    "金沙化工厂爆炸事故的调查": (
        "金沙化工厂于2008年3月15日发生爆炸。爆炸造成31人死亡。爆炸造成约165人"
        "受伤。厂长是周立新。调查组认定事故损失为1.3亿元。仓库安装报警器。二车间有职工"
        "300人。南门有消防车6辆。"
    ),
    "松河水库": (
        "松河水库建成于1974年。水库库容为3.6亿立方米。大坝高82米。灌溉面积为21"
        "万亩。水库管理处处长是郑国平。移民共1.8万人。1998年水库没有泄洪。2005"
        "年发电量为1.2亿度。"
    ),
    "松河水库四十年": (
        "松河水库建成于1978年。水库库容为4.1亿立方米。大坝高76米。灌溉面积为21"
        "万亩。移民共2.3万人。1998年水库泄洪。2015年发电量为1.9亿度。副坝高"
        "30米。水库管理处处长是何志远。"
    ),
}

PLANTED_LATER_CHINESE = [
    ("2008年3月12日", "2008年3月15日"), ("23", "31"), ("陈国栋", "周立新"), ("9800万", "1.3亿"),
    ("没有安装", "仓库安装"), ("1974年", "1978年"), ("3.6亿", "4.1亿"), ("82", "76"),
    ("1.8万", "2.3万"), ("郑国平", "何志远"), ("没有泄洪", "水库泄洪"),
]  # fmt: skip
