/**
 * The floor of artifacts: a bare `node:http` handler that writes what it gets to a file, and sends files. Like Ingot it answers an upload
 * when its bytes are on the disk. It checks nothing, knows nobody, and computes no digest.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { serveFloor } from './serve.ts'

await serveFloor<{ readonly directory: string }>(async ({ directory }) => async (request, response) => {
  const file = join(directory, basename(request.url ?? ''))
  if (request.method === 'POST') {
    await pipeline(request, createWriteStream(file, { flush: true }))
    response.writeHead(201).end()
  } else await pipeline(createReadStream(file), response)
})
