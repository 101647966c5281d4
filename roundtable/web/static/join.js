// Who signs in elsewhere comes back to the view that the link led to.
if (location.hash) document.getElementById("sign-in").search = `next=${encodeURIComponent(location.hash)}`;
