import { runAction, list } from './records.ts'

runAction('tickets', 'id', 'reply', { body: 'Hello' })
runAction('tickets', 'id', 'close')
runAction('accounts', 'id', 'approve')
// @ts-expect-error no such model
runAction('tickts', 'id', 'close')
// @ts-expect-error no such action
runAction('tickets', 'id', 'clse')
// @ts-expect-error no such input
runAction('tickets', 'id', 'reply', { text: 'Hello' })

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
