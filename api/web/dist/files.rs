// Written by `npm run build` in api/web.
[
    ("/assets/Lab-CvG3LmmE.js", "text/javascript; charset=utf-8", include_bytes!("assets/Lab-CvG3LmmE.js")),
    ("/assets/Watch-Dum8R2BR.js", "text/javascript; charset=utf-8", include_bytes!("assets/Watch-Dum8R2BR.js")),
    ("/assets/icon-D9T8H5FC.svg", "image/svg+xml", include_bytes!("assets/icon-D9T8H5FC.svg")),
    ("/assets/index-CHoNpPm9.js", "text/javascript; charset=utf-8", include_bytes!("assets/index-CHoNpPm9.js")),
    ("/assets/index-D5ifRQht.css", "text/css; charset=utf-8", include_bytes!("assets/index-D5ifRQht.css")),
    ("/index.html", "text/html; charset=utf-8", include_bytes!("index.html")),
]
