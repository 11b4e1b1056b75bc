// Written by `npm run build` in api/web.
[
    ("/assets/Lab-Bl1v7yck.js", "text/javascript; charset=utf-8", include_bytes!("assets/Lab-Bl1v7yck.js")),
    ("/assets/Watch-K7rgfEDU.js", "text/javascript; charset=utf-8", include_bytes!("assets/Watch-K7rgfEDU.js")),
    ("/assets/en-C31x34JS.js", "text/javascript; charset=utf-8", include_bytes!("assets/en-C31x34JS.js")),
    ("/assets/es-BbmvchBq.js", "text/javascript; charset=utf-8", include_bytes!("assets/es-BbmvchBq.js")),
    ("/assets/gu-DHTzPwyq.js", "text/javascript; charset=utf-8", include_bytes!("assets/gu-DHTzPwyq.js")),
    ("/assets/hi-B9_9fJA-.js", "text/javascript; charset=utf-8", include_bytes!("assets/hi-B9_9fJA-.js")),
    ("/assets/icon-D9T8H5FC.svg", "image/svg+xml", include_bytes!("assets/icon-D9T8H5FC.svg")),
    ("/assets/index-Bpl0yDPy.css", "text/css; charset=utf-8", include_bytes!("assets/index-Bpl0yDPy.css")),
    ("/assets/index-Hk9TP0xE.js", "text/javascript; charset=utf-8", include_bytes!("assets/index-Hk9TP0xE.js")),
    ("/assets/kn-DXIFT4qF.js", "text/javascript; charset=utf-8", include_bytes!("assets/kn-DXIFT4qF.js")),
    ("/assets/pt-Cz2fa2S0.js", "text/javascript; charset=utf-8", include_bytes!("assets/pt-Cz2fa2S0.js")),
    ("/index.html", "text/html; charset=utf-8", include_bytes!("index.html")),
]
