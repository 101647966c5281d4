"""Does each sentence, table and chart stand in the passages that it cites?"""
