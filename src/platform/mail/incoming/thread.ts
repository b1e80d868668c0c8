/** Worker thread that reads one mail (read.ts). */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { parseMessage } from './parse.ts'

const { file, host } = workerData as { readonly file: string; readonly host: string }

/** Of a mail that exceeds the limits of its parser, nothing is known but that. */
const message = await readFile(file).then(bytes => parseMessage(bytes, host).catch(() => undefined))
parentPort?.postMessage(message, message?.files.map(({ content }) => content.buffer) ?? [])
