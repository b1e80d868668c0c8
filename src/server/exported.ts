import type { Endpoint } from '../platform/kernel/declaration/endpoint.ts'

const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'route' in value && 'run' in value

/** The endpoints that a module exports, in the order of their routes. */
export const exportedBy = (module: Record<string, unknown>): Endpoint[] => Object.values(module).filter(isEndpoint)
