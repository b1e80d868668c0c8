/** A thread that unpacks the list of common passwords, which would hold the server for some 80 ms, sends it and ends. */
import { parentPort } from 'node:worker_threads'
import { dictionary } from '@zxcvbn-ts/language-common'

const passwords = (dictionary['passwords-common'] as readonly string[]).filter(password => password.length >= 8)
parentPort?.postMessage(`\n${passwords.join('\n')}\n`)
