/** The worker thread that parses one long text (read.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { type AskedYaml, parseYaml } from './parse.ts'

parentPort?.postMessage(parseYaml(workerData as AskedYaml))
