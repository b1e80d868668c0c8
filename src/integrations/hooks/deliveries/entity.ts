/** A delivery as JSON (webhook events API), and the headers of its request. */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, described, integer, Nullable, number, text } from '../../../platform/kernel/declaration/types.ts'
import { shownUrl } from '../../../platform/outbound/shown_url.ts'
import { headerOf } from '../switches.ts'
import type { DeliveryRow } from './queries.ts'

/** The headers of a request, without the token. */
export const headersOf = ({ kind, trigger, uuid }: Pick<DeliveryRow, 'kind' | 'trigger' | 'uuid'>): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'Ingot',
  'X-Gitlab-Event': headerOf(kind, trigger),
  'X-Gitlab-Event-UUID': uuid,
})

/** Contract: the text of the events API for a delivery without a status (webhook events API). */
const NO_STATUS = 'internal error'

export const Delivery = entity({
  name: 'HookEvent',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    url: text('Address that received the event'),
    trigger: text('Event that caused the request'),
    request_headers: described('Headers that were sent', Type.Record(Type.String(), Type.String())),
    request_data: described('Body that was sent', Type.Record(Type.String(), Type.Unknown())),
    response_headers: described('Headers of the answer', Type.Record(Type.String(), Type.String())),
    response_body: text('Body of the answer; empty where none came'),
    execution_duration: Nullable(number('Seconds that the last attempt took; null before the first')),
    response_status: Nullable(text('Null before the first attempt')),
    status: text('`pending`, `delivered` or `failed`'),
    attempts: integer('Number of attempts so far'),
    error: Nullable(text('Why there was no answer to the last attempt; null where there was one')),
    created_at: DateTime('When it was created'),
  }),
  present: (row: DeliveryRow) => ({
    id: row.id,
    url: shownUrl(row.url),
    trigger: row.trigger,
    request_headers: { ...headersOf(row), ...(row.token === null ? {} : { 'X-Gitlab-Token': '[REDACTED]' }) },
    request_data: JSON.parse(row.request_data) as Record<string, unknown>,
    response_headers: row.response_headers,
    response_body: row.response_body,
    execution_duration: row.duration,
    response_status: row.attempts === 0 ? null : row.response_status === null ? NO_STATUS : String(row.response_status),
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    created_at: row.created_at,
  }),
})

/** The result of sending once more (webhook events API). */
export const Resent = entity({
  name: 'ResentHookEvent',
  schema: Type.Object({
    id: integer('ID of what was sent now'),
    response_status: Nullable(integer('Status of the answer; null where none came')),
    error: Nullable(text('Why there was no answer; null where there was one')),
  }),
  present: ({ id, response_status, error }: DeliveryRow) => ({ id, response_status, error }),
})
