// Written by `npm run build` in api/web.
[
    ("/assets/Lab-CTJOIlRX.js", "text/javascript; charset=utf-8", include_bytes!("assets/Lab-CTJOIlRX.js")),
    ("/assets/Watch-CeFxPivV.js", "text/javascript; charset=utf-8", include_bytes!("assets/Watch-CeFxPivV.js")),
    ("/assets/icon-D9T8H5FC.svg", "image/svg+xml", include_bytes!("assets/icon-D9T8H5FC.svg")),
    ("/assets/index-C2hoCt40.css", "text/css; charset=utf-8", include_bytes!("assets/index-C2hoCt40.css")),
    ("/assets/index-DOHJMYgG.js", "text/javascript; charset=utf-8", include_bytes!("assets/index-DOHJMYgG.js")),
    ("/index.html", "text/html; charset=utf-8", include_bytes!("index.html")),
]
