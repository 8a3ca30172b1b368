/** PocketBase's ids have fifteen characters; the ticket's number orders them. */
export const pocketId = (number: number) => `t${String(number).padStart(14, '0')}`
