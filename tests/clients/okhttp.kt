/**
 * The part of OkHttp 4 that the generated Kotlin client uses, written with `java.net`. With it the client can be
 * compiled and can play a game if only the compiler is installed.
 */
package okhttp3

import java.io.ByteArrayInputStream
import java.io.Closeable
import java.io.File
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URI
import java.net.URLEncoder

class MediaType(val text: String) {
    companion object {
        fun String.toMediaTypeOrNull(): MediaType? = MediaType(this)
    }
}

open class RequestBody(val bytes: ByteArray, val type: MediaType?) {
    companion object {
        fun ByteArray.toRequestBody(type: MediaType? = null) = RequestBody(this, type)
        fun String.toRequestBody(type: MediaType? = null) = RequestBody(toByteArray(), type)
        fun File.asRequestBody(type: MediaType? = null) = RequestBody(readBytes(), type)
    }
}

class FormBody {
    class Builder {
        private val fields = mutableListOf<String>()
        fun add(name: String, value: String) = apply { fields.add("${escape(name)}=${escape(value)}") }
        fun build() = RequestBody(fields.joinToString("&").toByteArray(), null)
    }
}

class MultipartBody {
    companion object {
        val FORM = MediaType("multipart/form-data")
    }

    class Builder {
        private val parts = mutableListOf<RequestBody>()
        private var type = FORM
        fun setType(type: MediaType) = apply { this.type = type }
        fun addPart(@Suppress("UNUSED_PARAMETER") headers: Headers, body: RequestBody) = apply { parts.add(body) }
        fun build() = RequestBody(parts.fold(ByteArray(0)) { all, part -> all + part.bytes }, type)
    }
}

class Headers(private val fields: List<Pair<String, String>>) : Iterable<Pair<String, String>> by fields {
    fun toMultimap(): Map<String, List<String>> = fields.groupBy({ it.first.lowercase() }, { it.second })

    class Builder {
        private val fields = mutableListOf<Pair<String, String>>()
        fun add(name: String, value: String) = apply { fields.add(name to value) }
        fun build() = Headers(fields)
    }

    companion object {
        fun Map<String, String>.toHeaders() = Headers(toList())
    }
}

class HttpUrl(val start: String, val encodedPathSegments: List<String>, val query: List<String>) {
    override fun toString() = start + encodedPathSegments.joinToString("/", "/") + query.joinToString("&", if (query.isEmpty()) "" else "?")
    fun newBuilder() = Builder(start, encodedPathSegments, query)

    class Builder(private var start: String = "", path: List<String> = listOf(), query: List<String> = listOf()) {
        private val path = path.toMutableList()
        private val query = query.toMutableList()
        fun scheme(scheme: String) = apply { start = "$scheme://" }
        fun host(host: String) = apply { start += host }
        fun addPathSegment(segment: String) = apply { path.add(escape(segment)) }
        fun addEncodedPathSegments(segments: String) = apply { path.addAll(segments.split("/")) }
        fun addQueryParameter(name: String, value: String?) = apply { query.add("${escape(name)}=${escape(value ?: "")}") }
        fun build() = HttpUrl(start, path, query)
    }

    companion object {
        fun String.toHttpUrlOrNull(): HttpUrl? = HttpUrl(trimEnd('/'), listOf(), listOf())
    }
}

class Request(val url: HttpUrl, val method: String, val headers: Headers, val body: RequestBody?) {
    class Builder {
        private var url: HttpUrl? = null
        private var method = "GET"
        private var headers = Headers(listOf())
        private var body: RequestBody? = null
        fun url(url: HttpUrl) = apply { this.url = url }
        fun headers(headers: Headers) = apply { this.headers = headers }
        fun method(method: String, body: RequestBody?) = apply { this.method = method; this.body = body }
        fun head() = method("HEAD", null)
        fun post(body: RequestBody) = method("POST", body)
        fun put(body: RequestBody) = method("PUT", body)
        fun patch(body: RequestBody) = method("PATCH", body)
        fun delete(body: RequestBody?) = method("DELETE", body)
        fun build() = Request(url!!, method, headers, body)
    }
}

class ResponseBody(private val content: ByteArray) {
    fun string() = content.decodeToString()
    fun bytes() = content
    fun byteStream(): InputStream = ByteArrayInputStream(content)
}

class Response(val code: Int, val message: String, val headers: Headers, val body: ResponseBody?) : Closeable {
    val isSuccessful get() = code in 200..299
    val isRedirect get() = code in 300..399
    fun header(name: String) = headers.firstOrNull { it.first.equals(name, ignoreCase = true) }?.second
    override fun close() = Unit
}

interface Call {
    fun execute(): Response

    fun interface Factory {
        fun newCall(request: Request): Call
    }
}

interface Callback

class OkHttpClient : Call.Factory {
    override fun newCall(request: Request) = object : Call {
        override fun execute(): Response {
            val call = URI(request.url.toString()).toURL().openConnection() as HttpURLConnection
            call.requestMethod = request.method
            request.headers.forEach { (name, value) -> call.setRequestProperty(name, value) }
            request.body?.let {
                call.doOutput = true
                call.outputStream.write(it.bytes)
            }
            val code = call.responseCode
            val content = (if (code < 400) call.inputStream else call.errorStream)?.readBytes() ?: ByteArray(0)
            val fields = call.headerFields.filterKeys { it != null }.flatMap { (name, values) -> values.map { name to it } }
            return Response(code, call.responseMessage ?: "", Headers(fields), ResponseBody(content))
        }
    }

    class Builder {
        fun build() = OkHttpClient()
    }
}

private fun escape(text: String) = URLEncoder.encode(text, "UTF-8").replace("+", "%20")
