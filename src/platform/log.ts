/** The log: JSON lines on stderr, so that stdout stays free for what the program says. Secrets are masked wherever they turn up. */
import { destination, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** Keys whose values no log line shows, on the top level and one level down. */
const secretKeys = [
  'password',
  'token',
  'private_token',
  'access_token',
  'refresh_token',
  'job_token',
  'secret',
  'client_secret',
  'authorization',
  'cookie',
  '["private-token"]',
  '["job-token"]',
  '["set-cookie"]',
]

const paths = secretKeys.flatMap(key => {
  const below = key.startsWith('[') ? key : `.${key}`
  return [key, `*${below}`, `*.*${below}`]
})

/** Opens the log of this process. */
export const openLog = (level: Config['logLevel']): Logger =>
  pino(
    { level, base: { pid: process.pid }, redact: { paths, censor: '[masked]' }, timestamp: timestamp },
    destination({ fd: 2, sync: false }),
  )

/** ISO 8601 rather than a number: people read logs too. */
const timestamp = () => `,"time":"${new Date().toISOString()}"`
