import { act, list } from './records.ts'

act('tickets', 'id', 'reply', { body: 'Hello' })
act('tickets', 'id', 'close')
act('accounts', 'id', 'approve')
// @ts-expect-error no such model
act('tickts', 'id', 'close')
// @ts-expect-error no such action
act('tickets', 'id', 'clse')
// @ts-expect-error no such input
act('tickets', 'id', 'reply', { text: 'Hello' })

list('tickets', { all: [['status', 'in', ['New']]], sort: 'dueAt' })
list('contracts', { all: [['endOn', 'gte', '@today']], sort: '-endOn', limit: 5 })
// @ts-expect-error no such model
list('tickts', {})
// @ts-expect-error no such field
list('tickets', { all: [['stats', 'eq', 'New']] })
// @ts-expect-error no such value
list('tickets', { all: [['status', 'in', ['Nw']]] })
// @ts-expect-error not to be sorted by
list('tickets', { sort: 'message' })
