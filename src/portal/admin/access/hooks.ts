/** The hooks of the instance, on the pages that hooks of projects and groups have. */
import { systemHooks, trySystemHook } from '../../../integrations/hooks/endpoints.ts'
import { hookPages } from '../../hooks/endpoints.ts'
import { adminHome } from '../home.ts'

export const systemHookPages = hookPages({ home: adminHome, kind: 'system', api: systemHooks, id: 'id', trial: trySystemHook })
