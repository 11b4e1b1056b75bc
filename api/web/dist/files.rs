// Written by `npm run build` in api/web.
[
    ("/assets/Lab-CrHw0IgB.js", "text/javascript; charset=utf-8", include_bytes!("assets/Lab-CrHw0IgB.js")),
    ("/assets/Watch-C4sRDTVC.js", "text/javascript; charset=utf-8", include_bytes!("assets/Watch-C4sRDTVC.js")),
    ("/assets/en-Djo7KGlL.js", "text/javascript; charset=utf-8", include_bytes!("assets/en-Djo7KGlL.js")),
    ("/assets/es-BYqzGS6b.js", "text/javascript; charset=utf-8", include_bytes!("assets/es-BYqzGS6b.js")),
    ("/assets/gu-Dqg6jffo.js", "text/javascript; charset=utf-8", include_bytes!("assets/gu-Dqg6jffo.js")),
    ("/assets/hi-ecbxFoxx.js", "text/javascript; charset=utf-8", include_bytes!("assets/hi-ecbxFoxx.js")),
    ("/assets/icon-D9T8H5FC.svg", "image/svg+xml", include_bytes!("assets/icon-D9T8H5FC.svg")),
    ("/assets/index-BACBrFVG.js", "text/javascript; charset=utf-8", include_bytes!("assets/index-BACBrFVG.js")),
    ("/assets/index-Bpl0yDPy.css", "text/css; charset=utf-8", include_bytes!("assets/index-Bpl0yDPy.css")),
    ("/assets/kn-B7QkGc8G.js", "text/javascript; charset=utf-8", include_bytes!("assets/kn-B7QkGc8G.js")),
    ("/assets/pt-CVRZyogI.js", "text/javascript; charset=utf-8", include_bytes!("assets/pt-CVRZyogI.js")),
    ("/index.html", "text/html; charset=utf-8", include_bytes!("index.html")),
]
