import type { FastifyRequest } from 'fastify'

/**
 * The path and query that a client asked for, with one slash at the beginning. The raw request target may begin with two slashes or be a whole URL; as a
 * relative reference either would name another host. `url` of a request is another thing: the path as the routes match it.
 */
export const addressWithin = ({ originalUrl }: FastifyRequest): string =>
  originalUrl.replace(/^https?:\/\/[^/?]*/i, '').replace(/^\/*/, '/')
