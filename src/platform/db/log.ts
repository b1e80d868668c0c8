import type { BaseLogger } from 'pino'

/** The log of the database layer; pino's and Fastify's loggers fit. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>
