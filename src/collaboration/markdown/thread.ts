/** Worker thread that parses one long text (reading.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { type Asked, answer } from './reading.ts'

parentPort?.postMessage(answer(workerData as Asked))
