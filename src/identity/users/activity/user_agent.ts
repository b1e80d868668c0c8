/** From where something was written, as JSON (issues and snippets API at 14.0). */
import Type from 'typebox'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import { flag, text } from '../../../platform/kernel/declaration/types.ts'

export const UserAgentDetail = plain(
  'UserAgentDetail',
  Type.Object({
    user_agent: text('Program that sent it'),
    ip_address: text('IP address'),
    akismet_submitted: flag('Whether it was reported as spam; always false here'),
  }),
)
