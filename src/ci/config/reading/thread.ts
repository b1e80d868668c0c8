/** The worker thread that parses one long CI file (read.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { type Asked, answer } from './read.ts'

parentPort?.postMessage(answer(workerData as Asked))
