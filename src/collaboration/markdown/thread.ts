/** Worker thread that parses one long text (reading.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { type Asked, answer, bounded } from './reading.ts'

const asked = workerData as Asked
// The converter is loaded only where it is needed.
const found = asked.isAsciidoc ? bounded(await (await import('./asciidoc.ts')).asciidocHtml(asked.text)) : answer(asked)
parentPort?.postMessage(found)
