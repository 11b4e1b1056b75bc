// Written by `npm run build` in api/web.
[
    ("/assets/Lab-CFIvYKJI.js", "text/javascript; charset=utf-8", include_bytes!("assets/Lab-CFIvYKJI.js")),
    ("/assets/Watch-BzeKCXQ2.js", "text/javascript; charset=utf-8", include_bytes!("assets/Watch-BzeKCXQ2.js")),
    ("/assets/en-Cy0ZsnX8.js", "text/javascript; charset=utf-8", include_bytes!("assets/en-Cy0ZsnX8.js")),
    ("/assets/es-DcimmYnT.js", "text/javascript; charset=utf-8", include_bytes!("assets/es-DcimmYnT.js")),
    ("/assets/gu-DJaSZgNv.js", "text/javascript; charset=utf-8", include_bytes!("assets/gu-DJaSZgNv.js")),
    ("/assets/hi-RspMyIVy.js", "text/javascript; charset=utf-8", include_bytes!("assets/hi-RspMyIVy.js")),
    ("/assets/icon-D9T8H5FC.svg", "image/svg+xml", include_bytes!("assets/icon-D9T8H5FC.svg")),
    ("/assets/index-Bpl0yDPy.css", "text/css; charset=utf-8", include_bytes!("assets/index-Bpl0yDPy.css")),
    ("/assets/index-CSFg8m8k.js", "text/javascript; charset=utf-8", include_bytes!("assets/index-CSFg8m8k.js")),
    ("/assets/kn-Dy-iFmdG.js", "text/javascript; charset=utf-8", include_bytes!("assets/kn-Dy-iFmdG.js")),
    ("/assets/pt-DNcz9zpt.js", "text/javascript; charset=utf-8", include_bytes!("assets/pt-DNcz9zpt.js")),
    ("/index.html", "text/html; charset=utf-8", include_bytes!("index.html")),
]
