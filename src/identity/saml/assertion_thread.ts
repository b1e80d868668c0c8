/** The worker thread that checks one answer of very many elements (assertion.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { type AskedAnswer, check } from './assertion.ts'

parentPort?.postMessage(await check(workerData as AskedAnswer))
