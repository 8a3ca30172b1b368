ALTER TABLE "tickets" ADD COLUMN "phone" text;

ALTER TABLE "tickets" ADD COLUMN "callback_wish" text;
