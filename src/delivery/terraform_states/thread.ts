/** The worker thread that checks one large state (content.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { type FromThread, serialIn } from './content.ts'

const bytes = workerData as ArrayBuffer
const answer: FromThread = { serial: serialIn(new Uint8Array(bytes)), bytes }
parentPort?.postMessage(answer, [bytes])
