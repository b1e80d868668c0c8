/** The worker thread that writes the long parts of a merged CI file as YAML (merged.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import type { YamlMap } from './values.ts'
import { written } from './written.ts'

parentPort?.postMessage([...(workerData as YamlMap)].map(entry => written(new Map([entry]))))
