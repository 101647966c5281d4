from .autogen_seat import AutogenSeat as AutogenSeat
from .autogen_seat import request_message as request_message
from .autogen_seat import said_in as said_in
from .autogen_seat import seat_name as seat_name
