/**
 * The readable API description: Swagger UI from its package, and nothing from any other host.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { ByteAnswer } from '../kernel/declaration/endpoint.ts'

/** The files that the page loads. */
export const docsFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'initializer.js'] as const

const types: Readonly<Record<string, string>> = { '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }

/** Swagger UI sets styles and inline images from its script; it needs no other leave. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Ingot</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/-/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/-/docs/swagger-ui-bundle.js"></script>
<script src="/-/docs/initializer.js"></script>
</body>
</html>
`

const initializer = `SwaggerUIBundle({
  url: '/api/v4/openapi.json',
  dom_id: '#api',
  docExpansion: 'none',
  filter: true,
  persistAuthorization: true,
  validatorUrl: null,
})
`

const common = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' }

/** The page. */
export const docsPage = (): ByteAnswer => ({
  body: page,
  headers: { ...common, 'content-security-policy': policy, 'x-frame-options': 'DENY' },
})

/** A file of the page. */
export async function docsFile(file: (typeof docsFiles)[number]): Promise<ByteAnswer> {
  const body = file === 'initializer.js' ? initializer : await readFile(join(packageDirectory(), file))
  return { body, headers: { ...common, 'content-type': types[extname(file)] as string, 'cache-control': 'public, max-age=3600' } }
}

const packageDirectory = () => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
