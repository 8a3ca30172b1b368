/** PocketBase's ids have fifteen characters; a ticket's number gives them an order. */
export const pocketId = (number: number) => `t${String(number).padStart(14, '0')}`
