// Written by `npm run build` in api/web.
[
    ("/assets/Lab-yJzjye4x.js", "text/javascript; charset=utf-8", include_bytes!("assets/Lab-yJzjye4x.js")),
    ("/assets/Watch-BBam15eh.js", "text/javascript; charset=utf-8", include_bytes!("assets/Watch-BBam15eh.js")),
    ("/assets/icon-D9T8H5FC.svg", "image/svg+xml", include_bytes!("assets/icon-D9T8H5FC.svg")),
    ("/assets/index-CIYFzB0s.js", "text/javascript; charset=utf-8", include_bytes!("assets/index-CIYFzB0s.js")),
    ("/assets/index-CpQK45Lj.css", "text/css; charset=utf-8", include_bytes!("assets/index-CpQK45Lj.css")),
    ("/index.html", "text/html; charset=utf-8", include_bytes!("index.html")),
]
