export { inSentence } from '@gatehouse/model'
