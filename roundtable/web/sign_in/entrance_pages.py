"""The pages of who is not signed in yet: how to come in, as whom, that one is in now, and why not."""

from html import escape
from pathlib import Path
from urllib.parse import quote

from starlette.responses import FileResponse, HTMLResponse, Response

from library.text import translated

STATIC = Path(__file__).parents[1] / "static"
_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">{head}
<title>Roundtable · {title}</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/page.css">
</head>
<body>
<main class="join">
<h1>Roundtable</h1>
{body}
</main>
</body>
</html>
"""
_LINK = '<p><a id="sign-in" class="sign-in" href="/sign-in">Sign in with {name} · 使用 {name} 登录</a></p>'
_HERE = "</h1>\n"
"""Behind what `join.html` says first."""


def not_signed_in(issuer: str | None) -> Response:
    """Return the page of a browser that nobody knows, with a way to an issuer where there is one."""
    page = STATIC / "join.html"
    if issuer is None:
        return FileResponse(page, 401)
    before, here, after = page.read_text(encoding="utf-8").partition(_HERE)
    script = '<script src="/static/join.js"></script>\n'
    link = _LINK.format(name=escape(issuer))
    return HTMLResponse(f"{before}{here}{link}\n{after}".replace("</body>", f"{script}</body>"), 401)


def invited(token: str, name: str) -> Response:
    """Return the page of somebody whom another site led to an invitation; it says whose it is.

    `name`: of the account; empty where there are none.
    """
    shown = escape(name)
    english, chinese = (f" as {shown}", f"以 {shown} 的身份") if name else ("", "")
    body = (
        f"<p>This link signs this browser in{english}.</p>\n"
        f'<p lang="zh">此链接会让此浏览器{chinese}登录。</p>\n'
        f'<p><a class="sign-in" href="/?token={quote(token, safe="")}">Come in · 进入</a></p>'
    )
    return HTMLResponse(_FRAME.format(head="", title="invitation", body=body))


def signed_in(place: str) -> Response:
    """Return a page that leads on at once.

    A redirect would not do: it would belong to the journey that another site began, and browsers would not
    send the cookie with it.
    """
    target = escape(f"/{place}")
    body = f'<p>You are signed in · 已登录. <a href="{target}">Go on · 继续</a></p>'
    head = f'\n<meta http-equiv="refresh" content="0;url={target}">'
    return HTMLResponse(_FRAME.format(head=head, title="signed in", body=body))


def refused(why: str, status: int, *, choosing: bool = False) -> Response:
    """Return the page of somebody who was not let in; it says why.

    `choosing`: who begins again is asked by the issuer which account it is to be.
    """
    said = f'<p class="failure" role="alert">{escape(why)}</p>'
    chinese = translated(why, "zh")
    if chinese != why:
        said += f'\n<p lang="zh" class="failure">{escape(chinese)}</p>'
    again = f'<p><a href="/sign-in{"?choose=1" if choosing else ""}">Begin again · 重新开始</a></p>'
    body = f"<p>You are not signed in · 未登录.</p>\n{said}\n{again}"
    page = _FRAME.format(head="", title="not signed in", body=body)
    return HTMLResponse(page.encode("utf-8", "replace"), status)  # an issuer's words may hold half a sign
