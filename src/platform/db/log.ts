import type { BaseLogger } from 'pino'

/** Where the database's own life is told; pino's and Fastify's loggers fit. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>
