// Written by `npm run build` in api/web.
[
    ("/assets/Lab-P8auRk0g.js", "text/javascript; charset=utf-8", include_bytes!("assets/Lab-P8auRk0g.js")),
    ("/assets/Statistics-Df5mrpov.js", "text/javascript; charset=utf-8", include_bytes!("assets/Statistics-Df5mrpov.js")),
    ("/assets/Watch-DW6uW9BY.js", "text/javascript; charset=utf-8", include_bytes!("assets/Watch-DW6uW9BY.js")),
    ("/assets/en-C_JeEYZZ.js", "text/javascript; charset=utf-8", include_bytes!("assets/en-C_JeEYZZ.js")),
    ("/assets/es-gFUPFh0r.js", "text/javascript; charset=utf-8", include_bytes!("assets/es-gFUPFh0r.js")),
    ("/assets/gu-B0UkqGkt.js", "text/javascript; charset=utf-8", include_bytes!("assets/gu-B0UkqGkt.js")),
    ("/assets/hi-Cn-K9E_x.js", "text/javascript; charset=utf-8", include_bytes!("assets/hi-Cn-K9E_x.js")),
    ("/assets/icon-D9T8H5FC.svg", "image/svg+xml", include_bytes!("assets/icon-D9T8H5FC.svg")),
    ("/assets/index-D6vFRA4F.css", "text/css; charset=utf-8", include_bytes!("assets/index-D6vFRA4F.css")),
    ("/assets/index-mNwr2v3O.js", "text/javascript; charset=utf-8", include_bytes!("assets/index-mNwr2v3O.js")),
    ("/assets/kn-C85RzWK5.js", "text/javascript; charset=utf-8", include_bytes!("assets/kn-C85RzWK5.js")),
    ("/assets/lab-Bna1x8A4.js", "text/javascript; charset=utf-8", include_bytes!("assets/lab-Bna1x8A4.js")),
    ("/assets/lab-CMvxeUBG.css", "text/css; charset=utf-8", include_bytes!("assets/lab-CMvxeUBG.css")),
    ("/assets/pt-cl2PS4Rk.js", "text/javascript; charset=utf-8", include_bytes!("assets/pt-cl2PS4Rk.js")),
    ("/assets/words-7pLgQrNN.js", "text/javascript; charset=utf-8", include_bytes!("assets/words-7pLgQrNN.js")),
    ("/index.html", "text/html; charset=utf-8", include_bytes!("index.html")),
]
