ALTER TABLE "contracts" ADD COLUMN "documents" uuid[];

ALTER TABLE "messages" ADD COLUMN "attachments" uuid[];

ALTER TABLE "organisations" ADD COLUMN "documents" uuid[];

ALTER TABLE "tickets" ADD COLUMN "attachments" uuid[];
