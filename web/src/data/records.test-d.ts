import { act } from './records.ts'

act('tickets', 'id', 'reply', { body: 'Hello' })
act('tickets', 'id', 'close')
act('accounts', 'id', 'approve')
// @ts-expect-error no such model
act('tickts', 'id', 'close')
// @ts-expect-error no such action
act('tickets', 'id', 'clse')
// @ts-expect-error no such input
act('tickets', 'id', 'reply', { text: 'Hello' })
