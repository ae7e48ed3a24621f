/**
 * Headings and answers that LimeSurvey writes into exports, in the languages that it ships: the translations of the English
 * texts in its gettext files (`locale/`) of the versions 2.00, 2.05, 3.17, 3.28, 5.6 and 6.1. The headings are those of
 * `createFieldMap()` in `application/helpers/common_helper.php`, the answers those of `SurveyObj::getFullAnswer()`.
 */
import { splitWordList } from '../../../domain/values/split-word-list.ts';

/** By the codes of the columns. `firstname`, `lastname` and `email` are columns of the participants. */
export const limeSurveyHeadings = {
  id: splitWordList(`
    Response ID | Antwoord ID | Antwort ID | Atbildes ID | Atsakymo ID | Besvarelse ID | Erantzunaren ID |
    ID Jawapan | ID da resposta | ID de la responsa | ID de la resposta | ID de la respuesta | ID de la réponse |
    ID de resposta | ID de respuesta | ID di kontesta | ID ng tugon | ID odgovora | ID odpovede | ID odpovědi |
    ID odpowiedzi | ID odziva | ID pa rèspòns | ID risposta | ID tanggapan | ID trả lời | ID ymateb |
    ID απάντησης | ID адказа | ID відповіді | ID на отговора | ID одговора | ID ответа | ID การตอบแบบสอบถาม |
    ID-ul raspunsului | ID-и ҷавоб | Kitöltés ID | Kitöltés-azonosító | Respons ID | Resposta co ID | Svar-ID |
    Svars-ID | Svörunar ID | Vastaus-ID | Vastuse ID | Válasz ID | Yanıt kimliği | Yanıt kodu | Жооптун IDси |
    Назнака на одговорот | үр дүнгийн ID | זיהוי ID של התגובות | رقم الاستجابة | شناسه پاسخ | प्रतिक्रिया आईडी |
    प्रतिसाद आयडी | ਪ੍ਰਤੀਕਿਰਆ ਆਈਡੀ | પ્રતિભાવ આઈડી | ප්‍රතිචාර ID | รหัสของการตอบแบบสอบถาม | 反馈 ID | 回應編號 | 回答ID |
    回饋 ID | 응답 ID`),
  submitdate: splitWordList(`
    Date submitted | Datum abgesendet | Bidalketa-data | Dagsetning sendingar | Data d'enviament | Data de envio |
    Data de somission | Data de submissão | Data invio | Data wysłania | Data zakończenia | Date de soumission |
    Dato for besvarelse | Dato for indsendelse | Datum Abgeschickt | Datum ingedien | Datum inskickad |
    Datum oddaje ankete | Datum odeslání | Datum podnašanja | Datum prosleđivanja | Datum verstuurd |
    Datum verzonden | Dată trimisă | Dyddiad cyflwyno | Dátum odoslania | Enviada o | Fecha de envío |
    Fecha en que se envió | Fecha mandá | Gönderildiği tarih | Id-Data ta' meta ntbagħat | Innsendingsdato |
    Išsiuntimo data | Kinnitamise kuupäev | Küldés dátuma | Lähetys päivämäärä | Ngày gửi | Nosūtīšanas datums |
    Petsa ng pagsusumite | Tanggal pengiriman | Tarikh dihantar | Ημερομηνία καταχώρησης |
    Ημερομηνία καταχώρισης | Берілген күні | Дата адпраўкі | Дата записи | Дата на подаване | Дата подання |
    Датум прослеђивања | Илгээсэн огноо | Поднесено на | Сана пешкаш шуд | Тапшырылган датасы |
    Ներկայացման ամսաթիվը | תאריך שליחה | تاریخ ارسال | سلم بتاريخ | پیش تاریخ | तिथि प्रस्तुत |
    सबमिट केलेली तारीख | ਤਾਰੀਖ ਡਾਲੀ | તારીખ: અહેવાલ શાળાના કુલ | วันที่ส่ง | 回答完了日時 | 投稿日時 | 提交的日期 | 送出的日期 |
    제출 날짜`),
  lastpage: splitWordList(`
    Last page | Azken orrialdea | Darrera pàgina | Darrièra pagina | Dernière page | Faqja e fundit |
    Halaman terakhir | Huling page | L-aħħar paġna | Laaste bladsy | Laatste pagina | Letzte Seite |
    Muka surat terakhir | Nama belakang | Ostatnia strona | Paskutinis puslapis | Poslednja strana |
    Posledná strana | Poslední strana | Pēdēja lapa | Sidste side | Sista sidan | Siste side | Son bakılan sayfa |
    Síðasta síða | Trang cuối cùng | Tudalen olaf | Ultima pagina | Ultimo página | Utolsó lap |
    Viimane lehekülg | Viimeinen sivu | Zadnja stran | Zadnji stranicu | Última página | Última páxina |
    Τελευταία σελίδα | Акыркы бет | Апошняя старонка | Остання сторінка | Последна страница | Последняя страница |
    Последња страна | Саҳифаи охирон | Сүүлийн хуудас | Վերջին էջ | עמוד אחרון | آخری صفحہ | آخرین صفحه |
    الصفحة الاخيرة | अंतिम पृष्ठ | ਆਖਰੀ ਪਨਾ | છેલ્લું પાનું | අවසාන පිටුව | หน้าสุดท้าย | 最終ページ | 末頁 | 末页 |
    마지막 페이지`),
  startlanguage: splitWordList(`
    Start language | Aanvangstaal | Aloituskieli | Alustamise keel | Bahasa utama | Başlangıç dili | Begin taal |
    Gjuha fillestare | Hasierako hizkuntza | Iaith dechrau | Ibda lingwa | Idioma d'inici | Idioma de Inicio |
    Idioma inicial | Język początkowy | Kalba | Kiindulási nyelv | Langue de départ | Lenga de despart |
    Lenga di inisio | Lenguaje inicial | Limba de pornire | Lingua iniziale | Linguaggio di partenza |
    Mulakan bahasa | Ngôn ngữ bắt đầu | Početni jezik | Počáteční jazyk | Qala ulimi | Ræsa tungumál |
    Standardsprog | Standardspråk | Start taal | Start-Sprache | Startspråk | Sākuma valoda |
    Wika sa pagsisimula | Začať jazyk | Začetni jezik | Αρχική γλώσσα | Алгачкы тил | Забони оғозёфта |
    Начален език | Начальный язык | Початкова мова | Почетен јазик | Почетни језик | Стандартная мова |
    Эхлэлийн хэл | Լեզու | שפה התחלתית | ابدأ اللغة | زبان شروع | زبان شروع کریں | زمانی دەستپێک | भाषा प्रारंभ |
    भाषा शुरू | ਸ਼ੁਰੂ ਭਾਸ਼ਾ | ભાષા પ્રારંભ | භාෂාව ආරම්භ කරන්න | ภาษาเริ่มต้น | 起始語言 | 起始语言 | 開始言語 | 기본 언어`),
  seed: splitWordList(`
    Seed | Zufallsstartwert | Biji | Frö | Frø | Jungtis | Llavor | Mag | Nasienie | Plaats | Počáteční |
    Seed (Τιμή εκκίνησης της γεννήτριας τυχαιότητας) | Seeme | Seme | Semente | Semienko | Semilla | Siemen |
    Sākotnējā vērtība | Tohum | Tête de série | Wartość randomizacji | Zufallsgeneratorstartwert | Zufallswert |
    Зерно | Початкове значення | Тухмӣ | Үр | بذرة | เมล็ดพันธุ์ | シード | 种子 | 種子 | 초기값`),
  token: splitWordList(`
    Token | Access code | Adgangskode | Anket kodu | Behörighetskod | Ceadchomhartha | Clau d'Accés | Clave |
    Clave de participante | Cod | Code | Code d'access | Code d'accès | Codi d'accés | Codice d'accesso |
    Codul de acces | Contraseña | Cood | Còde | Código | Código de acceso | Código de acesso | Deltagernøgle |
    Erişim kodu | Hozzáférési kód | Hyrje | Identificativo | Identifikátor účastníka-token | Kenni |
    Kitöltésjelszó | Kod akses | Kod dostępu | Kodas | Kode akses | Kód | Kódigo di akseso | Mã truy cập |
    Nøkkel | Partecipante | Pasahitza | Pase | Pieejas atslēga | Piekļuves kods | Pin kodu | Pristupni kôd |
    Prístupový kód | Pääsyavain | Přístupový kód | Respondentnøgle | Schlüsselwort | Teken | Thẻ bài |
    Tilgangskode | Tocyn | Toegangscode | Tunniste | Tunnuskood | Zugangscode | Zugangsschlüssel | Åtkomstkod |
    Žeton | Κλειδάριθμος | Κουπόνι | Жетон | Кирүү ачкычы | Ключ доступа | Код доступа | Код доступу |
    Маркер доступа | Маркер доступу | Нэвтрэх код | Персональний код | Токен | מחרוזת תוים | קוד גישה | توکن |
    رمز | رمز الدخول | ٹوک | کود | एक्सेस कोड | टोकन | लाक्षणिक | ਟੋਕਨ | ટોકન | ටෝකනය | ผู้ตอบแบบสำรวจ |
    รหัสการเข้าใช้งาน | โทเค็น | アクセスコード | トークン | 存取碼 | 操作代码 | 操作代碼 | 访问代码 | 邀請碼 | 액세스 코드 | 토큰`),
  startdate: splitWordList(`
    Date started | Aloituspäivämäärä | Alustamise kuupäev | Başlangıç tarihi | Comezada o | Data d'aviada |
    Data d'inici | Data de início | Data di inizio | Data rozpoczęcia | Data începerii | Date de lancement |
    Dato for oppstart | Datum begin | Datum gestartet | Datum počeo | Datum početka | Datum påbörjad |
    Datum začetka | Datum začátku | Dyddiad cychwyn | Dátum začatia | Fecha de inicio |
    Fecha di inisio (kuminsamentu) | Fecha en que inició | Hasiera-data | Id-Data ta' meta beda | Kezdés datuma |
    Kezdés dátuma | Ngày bắt đầu | Petsa ng pagsisimula | Pradėjimo data | Startdato | Startdatum |
    Sākuma datums | Tanggal mulai | Tarikh bermula | Upphafsdagsetning | Usuku okwaqalwa ngalo |
    Ημερομηνία έναρξης | Башталган датасы | Дата на започване | Дата начала | Дата пачатку | Дата початку |
    Датум почетка | Започнато на | Санаи оғознамоӣ | эхэлсэн өдөр | תאריך התחלה | تاريخ البدء | تاریخ شروع |
    तारीख सुरु | तिथि शुरू | ਤਾਰੀਖ ਸ਼ੁਰੂ | તારીખ શરૂ | ආරම්භක දිනය | วันเริ่มต้น | 开始日期 | 開始日時 | 開始日期 | 시작된 날짜`),
  datestamp: splitWordList(`
    Date last action | Adaugă data ultimei acțiuni | Azken ekintzaren data | Dagsetning síðustu aðgerðar |
    Data da última acção | Data da última ação | Data de l'última acció | Data de la darrièra accion |
    Data dell'ultima azione | Data ostatniej akcji | Date de la dernière action | Dato for sidste handling |
    Dato for siste hendelse | Dato for siste hending | Datum laatste actie | Datum letzte Aktivität |
    Datum poslednje akcije | Datum poslední akce | Datum posljednje akcije | Datum senaste åtgärd |
    Datum van laaste aksie | Datum zadnje akcije | Dyddiad y weithred ddiwethaf | Dátum poslednej akcie |
    Fecha de la ultima accion | Fecha de la última acción | Fecha di último akshon | Id-Data tal-aħħar azzjoni |
    Ngày hành động cuối cùng | Paskutinio veiksmo data | Petsa ng huling aksyon | Posljednje akcije datum |
    Pēdējās darbības datums | Son işlem tarihi | Tanggal tindakan terakhir | Tarikh tindakan terakhir |
    Usuku kugcina ukwenziwa | Utolsó művelet dátuma | Viimase tegevuse kuupäev |
    Viimeisimmän toiminteen päivämäärä | Última acción o | Ημερομηνία τελευταίας ενέργειας |
    Время последнего обращения | Дата апошняга дзеяння | Дата на последното действие | Дата останньої дії |
    Датум на последно дејство | Датум последње акције | Санаи амали охирон | Соңғы әрекет күні |
    Сүүлийн үйлдлийн огноо | Վերջին գործողության ամսաթիվը | תאריך פעולה אחרונה | تاريخ آخر عمل |
    تاریخ آخرین اقدام | अंतिम क्रिया तारीख | तिथि अंतिम कार्रवाई | ਤਾਰੀਖ਼ ਅੰਖਰੀ ਕਾਮ | છેલ્લા ક્રિયા તારીખ |
    අවසානයට භාවිත කළ දිනය | วันสุดท้านที่มีการกระทำ | วันสุดท้ายที่มีการกระทำ | 上次操作日期 | 日の最終操作 | 最終行動日時 |
    마지막 활동 날짜`),
  ipaddr: splitWordList(`
    IP address | Adres IP | Adresa IP | Adresse IP | Adreça IP | Alamat IP | Cyfeiriad IP | Dirección IP |
    Direkshon IP | Enderezo IP | Endereço IP | IP Adres | IP Adresi | IP aadress | IP adresa | IP adrese |
    IP cím | IP helbidea | IP vistfang | IP адрес | IP адреса | IP дарек | IP хаяг | IP հասցե | IP ایڈریس |
    IP पत्ता | IP ਪਤਾ | IP સરનામું | IP ලිපිනය | IP 位址 | IP 地址 | IP 주소 | IP-Adresse | IP-adress | IP-osoite |
    IP-адрас | IPアドレス | Indirizzo IP | L-Indirizz tal-IP | Naslov IP | Skaitinis kompiuterio adresas |
    Địa chỉ IP | Διεύθυνση IP | Суроғаи IP | כתובת IP | آدرس IP | عنوان بروتوكول الإنترنت | आईपी पते |
    අ.ජා. කෙ. (IP) ලිපිනය | ที่อยู่ IP`),
  refurl: splitWordList(`
    Referrer URL | Ajánló URL | Avsandar si URL | Avsenders URL | Erreferentziako URLa | Gelinen adres |
    Gelinen İnternet Adresi | Henvisende URL | Henvisende websted | Hänvisande URL | Ieteicēja adrese |
    Kreipimosi nuoroda | Min irrefera URL | Odkazující URL | Odkazujúca www stránka | Odsyłający URL |
    Referentni URL | Tilvísað URL | URL Preporuke | URL Rujukan | URL de origem | URL de procedencia |
    URL de procedència | URL de proveniență | URL de referencia | URL de referência | URL di referensia |
    URL di riferimento | URL izvorne strani | URL perujuk | URL referenta | URL référente | URL tham khảo |
    URL y Cyfeiriwr | URL αναφοράς | URL адрес на източника на посещението | URL відправника | URL на упатувачот |
    URL перехода | URL ссылки | URL อ้างอิง | Verwijzer URL | Verwysende URL | Viitav URL | Viittaava URL |
    Weiterleitungs-URL | Багыттоочу шилтеме (URL) | Равонкунандаи URL | Референтни URL | Сочещ URL адрес |
    קישור מפנה | رابط مرجعي | نشانی اینترنتی ارجاع کننده | रेफरर URL वर | संदर्भ URL | ਰੇਫੇਰ੍ਰੇਰ ਯੂਰਲ |
    રેફરર URL | リンク元 URL | リンク元URL | 來源網址 | 来源网址 | 레퍼러 URL`),
  interviewtime: splitWordList(`
    Total time | Aeg kokku | Całkowity czas | Celkový čas | Cyfanswm amser | Denbora, guztira | Gesamtzeit |
    Isikhathi esiphelele | Iš viso laiko | Jumlah masa diambil | Kabuuang oras | Kokonaisaika | Laiks kopā |
    Samtals tími | Skupaj čas | Skupni čas | Teljes idő | Tempo total | Tempo totale | Temps total | Tempu total |
    Tiempo total | Timp total | Toplam zaman | Totaaltijd | Total tid | Totale tyd | Totaltid | Tổng thời gian |
    Ukupno vreme | Ukupno vrijeme | Waktu total | Összes idő | Συνολικός χρόνος | Вақти умумӣ | Вкупно време |
    Жалпы убакыт | Загальний час | Общее время | Общо време | Сумарны час | Укупно време | нийт цаг |
    Ընդհանուր ժամանակը | זמן סך הכל | اجمال الوقت | زمان کل | एकूण वेळ | कुल:समय | ਕੁਲ ਸਮਯ | કુલ સમય |
    මුළු වෙලාව | เวลารวมทั้งหมด | 全部時間 | 合計時間 | 总计时长 | 總時間 | 총 시간`),
  groupTime: splitWordList(`
    Group time | Amser grŵp | Csoport idő | Czas grupy | Durada pel grop | Durée pour le groupe | Groep tijd |
    Groepstijd | Groeptyd | Grup zamanı | Grupas laiks | Grupno vrijeme | Gruppenzeit | Gruppetid |
    Grupės laikas | Isikhathi samaqoqo | Masa kumpulan | Oras ng pangkat | Ploki aeg | Ryhmän aika |
    Skupinski čas | Skupno vrijeme | Talde-denbora | Tempo do grupo | Tempo gruppale |
    Tempo per il gruppo di domande | Temporización del grupo | Temps del grup | Tempu di grupo | Thời gian nhóm |
    Tid för frågegruppen | Tiempo del grupo | Timpul grupului | Tími flokks | Vreme grupe | Waktu grup |
    Waktu kelompok | Čas skupiny | Χρόνος ομάδας | Вақти гурӯҳ | Време групе | Време на групата | Время группы |
    Группанын убакыты | Час групи | Час группы | груп хугацаа | זמן הקבוצה | زمان گروه | وقت المجموعة | گروپ وقت |
    गट वेळ | समूह समय | ਸਮੂਹ ਸਮਯ | ગ્રુપ સમય | කණ්ඩායමේ වෙලාව | සමූහයේ වෙලාව | เวลาของกลุ่ม | グループ時刻 | 小組時間 |
    组时间 | 題組時間 | 그룹 시간`),
  questionTime: splitWordList(`
    Question time | Amser cwestiwn | Czas pytania | Durada per la question | Durée pour la question | Fragenzeit |
    Galdera-denbora | Isikhathi semibuzo | Jautājuma laiks | Klausimo laikas | Kysymyksen aika | Kérdés idő |
    Küsimuse aeg | Masa soalan | Oras ng tanong | Soru zamanı | Spørgsmålstid | Spørsmålstid | Tempo da pergunta |
    Tempo da pregunta | Tempo per la domanda | Temporización de la pregunta | Temps de la pregunta |
    Tempu di pregunta | Thời gian hỏi | Tid för frågan | Timpul întrebării | Tími spurningar | Vraag tijd |
    Vraagtijd | Vraagtyd | Vreme pitanja | Vremeno pitanje | Vrijeme za odgovor na pitanje | Waktu pertanyaan |
    tiempo de preguntas | Čas otázky | Čas vprašanja | Χρόνος ερώτησης | Вақти савол | Време за въпроса |
    Време на прашањето | Време питања | Время вопроса | Суроонун убакыты | Час на пытанне | Час питання |
    асуулт хугацаа | זמן שאלה | زمان پرسش | وقت السؤال | प्रश्न वेळ | सवाल का समय | ਸਵਾਲ ਸਮਯ | પ્રશ્ન સમય |
    ප්‍රශ්නයේ වෙලාව | เวลาของคำถาม | 問題時間 | 質問時刻 | 问题时间 | 질문 시간`),
  firstname: splitWordList(`
    First name | Adı | Eerste naam | Eesnimi | Emri | Enw Cyntaf | Etunimi | Fornafn | Fornavn | Förnamn |
    Førenamn | Họ | Igama lakho | Ime | Imię | Isem | Izena | Jméno | Keresztnév | Meno | Nama depan |
    Nama pertama | Nom | Nombre(s) | Nombre/s | Nome | Nòmber dilanti | Pangalan | Pichon nom | Prenume |
    Prenumele | Primeiro nome | Prénom | Vardas | Virnumm | Voornaam | Vorname | Vārds | Όνομα | Ім'я | Імя |
    Аты | Име | Имя | Ном | Нэр | Собствено име | Անուն | שם פרטי | الاسم الاول | نام | پہلا نام | पहला नाम |
    पहिले नाव | ਪਹਿਲਾਂ ਨਾਮ | પ્રથમ નામ | මුල් නම | ชื่อ | სახელი | 名 | 名字 | 姓 | 이름`),
  lastname: splitWordList(`
    Last name | Abizena | Achternaam | Apelido(s) | Apellido/s | Apellidos | Apelyido | Cognom | Cognome |
    Családnév | Cyfenw | Efternamn | Efternavn | Enw olaf | Etternamn | Etternavn | Fam | Föðurnafn | Isibongo |
    Kunjom | Mbiemri | Nachname | Nama akhir | Nama belakang | Nazwisko | Nom | Nume de familie |
    Numele de familie | Numm | Pavardė | Perenimi | Prezime | Priezvisko | Priimek | Příjmení | Sobrenome |
    Soyadı | Sukunimi | Tên | Uzvārds | Van | Vezetéknév | Último nome | Επώνυμο | Насаб | Овог | Презиме |
    Прозвішча | Прізвище | Фамилия | Ազգանուն | שם משפחה | آخری نام | اسم العائلة | نام خانوادگی | अंतिम नाम |
    अंतिम नाव | ਅੰਤਮ ਨਾਮ | છેલ્લું નામ | අවසන් නම | นามสกุล | გვარი | 名 | 姓 | 姓氏 | 성`),
  email: splitWordList(`
    Email address | Adres e-mail | Adresa Email | Adresa de email | Adresse de courriel |
    Adreça de correu electrònic | Adreça de corrièr electronic | Adrès elektróniko | Alamat e-mel | Alamat surel |
    Correo electrónico | Cyfeiriad e-bost | Dirección de correo electrónico | E-Mail-Adresse | E-mail |
    E-mail adresa | E-mail cím | E-mailadres | E-mailová adresa | E-pasta adrese | E-posadres | E-posta adresi |
    E-postadress | E-postadresse | E-posti aadress | El. pašto adresas | Elektronski naslov | Email adresa |
    Email адреса | Emailová adresa | Enderezo de correo | Endereço de email | Helbide elektronikoa |
    Ikheli le-imeyili | Indirizzo e-mail | L-indirizz tal-Email | Netfang | Sähköpostiosoite | Địa chỉ Email |
    Ηλεκτρονική διεύθυνση | Адрас электроннай пошты | Адрес E-mail | Адрес за е-поща | Е-мэйл хаяг | Е-пошта |
    И-мейл адрес | Имејл адреса | Суроғаи почтаи электронӣ | Электрондук почтанын дареги | Էլ. փոստի հասցե |
    כתובת דוא"ל | آدرس ایمیل | البريد الالكتروني | ای میل ایڈریس | ناونیشانی ئیمێل | ईमेल पता | ईमेल पत्ता |
    ਈਮੇਲ ਪਤਾ | ઇમેઇલ સરનામું | ඉ-තැපැල් ලිපිනය | ที่อยู่อีเมล์ | メールアドレス | 邮件地址 | 郵件地址 | 郵寄地址 | 電子信箱地址 | 이메일 주소`),
};

/** By the code of the answer in an export of codes. "Jo" is yes in Luxembourgish and no in Albanian. */
export const limeSurveyAnswers = {
  yes: splitWordList(`
    Yes | Ano | Bai | Bəli | Có | Da | Ego | Evet | Gal | Iawn | Ie | Igen | Iva | Ja | Jah | Já | Jā | Kyllä |
    Oo | Ooho | Oui | Po | Si | Sim | Sì | Sí | Taip | Tak | Tá | Ya | Yebo | Yego | Áno | Òc | Ναι | Да | Иә |
    Ооба | Так | сөп | тийм | Ҳа | Այո | כן | بلی | بەڵێ | جی ہا | نعم | هو | हां | होय | হ্যাঁ | ਹਾਂ | હા | ஆம் |
    ඔව් | ใช่ | ဟုတ္ကဲ႕။ | ဟုတ်ကဲ့ | დიახ | አዎ | はい | 是 | 예`),
  no: splitWordList(`
    No | A'a | Ei | Ez | Hayır | Hindi | Ii | Không | Le | Na | Ne | Nee | Neen | Nei | Nein | Nej | Nem | Nie |
    Non | Nu | Não | Níl | Nò | Nē | Oya | Tidak | Xeyr | Όχι | Жок | Жоқ | Не | Нет | Ні | суох | Үгүй | Ոչ |
    לא | خیر | لا | نه | نه‌خێر | نہی | نی | नहीं | नाही | না | ਨਹੀਂ | કોઈ | இல்லை | නැහැ | ไม่ | မဟုတ္ပါ။ |
    မဟုတ်ပါ | არა | አይ | የለም | いいえ | 否 | 아니오`),
  uncertain: splitWordList(`
    Uncertain | Abejojantis | Ansicr | Açık değil | Dudoso | Ekki viss | En osaa sanoa | Hindi tiyak |
    I pavendosur | Incert | Incertain | Incerto | Kararsız | Không chắc | Mhux ċert | Nav skaidrs | Neamhchinnte |
    Nem tudom | Neodločen | Neodlučan | Neodlučan/neodlučna | Neviem | Nevím | Nie wiem | Nisam siguran/na |
    No ho sé | Non sabe | Non so | Nu sunt sigur | Não sei | Onseker | Onzeker | Pas segur | Pole kindel | Ragu |
    Tidak pasti | Unsicher | Usikker | Ved ikke | Vet ej | Weet niet | Zalantzazkoa | Αβέβαιο | Не уверен |
    Невизначений | Неодлучан/неодлучна | Неопределен | Непознат | Номуайян | Ня упэўнены | Тодорхойгүй | לא בטוח |
    ش | غير متأكد | نادڵنیا | نامعلوم | अनिश्चित | ਅਨਿਸ਼ਚਿਤ | અનિશ્ચિત | අවිනිශ්චිතයි | ไม่แน่ใจ | どちらでもない | 不确定 |
    不確定 | 불확실한`),
  female: splitWordList(`
    Female | Babae | Baineann | Benyw | Debbo | Dona | Emakumea | Femenin | Femenino | Femení | Femer | Feminin |
    Feminino | Femmina | Femër | Féminin | Igitsina gore | Kadın | Kobieta | Kvenkyn | Kvinde | Kvinna | Kvinne |
    Mara | Menyw | Moteris | Mujer | Muller | Naine | Nainen | Nissonolmmoš | Nő | Nữ | Perempuan | QADIN |
    Sieviete | Umfazi | Umugore | Vroulik | Vrouw | Vrouwelijk | Weiblech | Weiblich | Žena | Ženski | Žensko |
    ženskog | Γυναίκα | Аял | Жанчына | Жена | Женски | Женский | Жіноча | Зан | дьахтар | эмэгтэй | Իգական |
    נקבה | أنثى | زن | عور | مێ | ښځه/مؤنث | महिला | মহিলা | ਮਾਦਾ | સ્ત્રી | பெண் | ගැහැණු | ස්ත්‍රී | หญิง |
    เพศหญิง | မ | ሴት | 女 | 女性 | 여자`),
  male: splitWordList(`
    Male | Almmáiolmmoš | Dyn | Erkek | Fireann | Férfi | Gizona | Gorko | Gwryw | Hombre | Home | Igitsina gabo |
    Indoda | Karlkyn | KİŞİ | Laki-laki | Lalaki | Lelaki | Man | Mand | Manlik | Mann | Mannelijk | Maschio |
    Masculin | Masculino | Masculí | Mashkull | Maskulino | Mees | Mies | Muški | Muž | Männlech | Männlich |
    Mężczyzna | Nam | Raġel | Umugabo | Vyras | Vīrietis | moški | muškog | Άνδρας | Мард | Мужской | Мужчына |
    Мушки | Мъж | Чоловіча | Эркек | машки | эр киһи | эрэгтэй | Տղամարդ | זכר | ذكر | سړی/مذکر | مر | مرد | نێر |
    नर | पुल्लिंगी | পুরুষ | ਨਰ | પુરૂષ | ஆண் | පිරිමි | පුරුෂ | ชาย | เพศชาย | က်ား | ကျား | მამრობითი | ወንድ |
    男 | 男性 | 남자`),
  increase: splitWordList(`
    Increase | Arttır | Artış | Augment | Augmenter | Auk | Aumenta | Aumentar | Aumentare | Aumento | Crește |
    Cynyddu | Dagdagan | Handitu | In crestere | Kasvaa | Khuphula | Meira | Meningkat | Mer | Méadú | Més |
    Növel | Oumento | Padidinti | Penambahan | Pieaugums | Povecava | Povećaj | Povečaj | Rritje | Suurenda |
    Toename | Toenemend | Tăng | Više | Wzrost | Zunahme | Zvýšenie | Zvýšení | Öka | Øges | Żid | Αύξηση | Више |
    Зголеми | Зиёдшавӣ | Зростання | Павялічыць | Увеличава | Увеличить | Чоңойтуу | Өсгөх | הוסף | اضاف |
    افزايش | زيادة | زیادکردن | वाढ | वृद्धि | ਵਾਧਾ | વધારો | වැඩිවෙයි | เพิ่มขึ้น | 増加 | 增加 | 증가`),
  same: splitWordList(`
    Same | Aynı | Berdinak | Bez zmian | Céanna | E mesun | Enako | I njejte | Idêntico | Igual | IgualIncv |
    Ingen endring | Isto | Không đổi | Kuyafana | L-Istess | La fel | Manter | Mateixos | Mismo | Onveranderd |
    Rovnaké | Sama | Samma | Sans changement | Sens cambiament | Stejný | Säilyy | Tas pats | Uendra | Uguale |
    Ugyanaz | Unverändert | Uændret | Walang pinagbago | Yr un fath | Yr un peth | Zelfde | Ίδιο | Без изменений |
    Бетағйир | Исто | Същият | Такое ж самае | Те ж саме | ижил | אותו דבר | اس | مشابه | نفسه | وەک یەک | वही |
    समान | ਯੋਗ | સમાન | එලෙසම පවතියි | เท่าเดิม | 同じ | 相同 | 동일`),
  decrease: splitWordList(`
    Decrease | Abnahme | Afname | Afnemend | Azalma | Azalme | Azalt | Bahando | Bawasan | Csökkent | Demesir |
    Diminuer | Diminuire | Diminuisce | Diminuição | Diminuír | Disminució | Disminución | Giảm | In descrestere |
    Laghdú | Lleihau | Manje | Menurun | Menys | Mindre | Mindskes | Minna | Minska | Naqqas | Pengurangan |
    Pienenee | Pokles | Reduce | Reduser | Redução | Samazinājums | Smanji | Smanjuje | Spadek | Sumažinti |
    Txikitu | Vähenda | Yehlisa | Zmanjšaj | Zníženie | Zvogelim | Μείωση | Азайтуу | Камшавб | Мање | Намали |
    Намалява | Паменьшыць | Спадання | Умањи | Уменьшить | бууруулах | הפחת | نقصان | ک | کم کردن | کەمکردن |
    कमी | कमी होणे | ਘਟਾਈਏ | ઘટાડો | අඩුවෙයි | ลดลง | 减少 | 減少 | 감소`),
  other: splitWordList(`
    Other | Altele | Altre | Altres | Altro | Ander | Andere | Andet | Anna | Annat | Annað | Annet | Arall |
    Autre | Beste bat | Cita atbilde | Diğer | Drugo | Eará | Egyéb | Eile | Engenye | Gooɗɗum | Iba pa | Ibindi |
    Inne | Iné | Jiné | Khác | Kitos parinktys | Lain-lain | Lainnya | Muu | Okunye | Ostalo | Otro | Outro |
    Outros | Overige | Oħrajn | Sonstiges | Teised | Tjeter | Άλλο | Іншае | Інше | Башка | Дигар | Друго |
    Другое | Остало | бусад | Այլ | אחר | آخر | دیگ | دیگر | شتی ت | غیره | نور | अन्य | इतर | ਹੋਰ | અન્ય | ಇತರ |
    වෙනත් | อื่นๆ | სხვა | ኻልእ | その他 | 其它 | 기타`),
};

/** Of the column with the comment on an answer. */
export const limeSurveyComments = splitWordList(`
  Comment | Athugasemd | Açıklama | Chú thích | Comentari | Comentario | Comentariu | Comentário | Commentaire |
  Commento | Iruzkina | Komen | Koment | Komentar | Komentaras | Komentarz | Komento | Komentár | Komentář |
  Komentārs | Kommentaar | Kommentar | Kommentti | Kumment | Megjegyzés | Opmerking | Remarke | Sylw | Tuairim |
  Umbono | Σχόλιο | Каментар | Коментар | Комментарий | Тайлбар | Түсініктеме | Эзоҳ | Մեկնաբանություն | הערה |
  تبصر | تعليق | توضیح | टिप्पणी | नोंद | ਟਿੱਪਣੀ | ટીકા | අදහස | ความเห็น | კომენტარი | コメント | 評論 | 评论 | 해설`);

/** Of the columns of a ranking, with %s in place of the number. */
export const limeSurveyRanks = splitWordList(`
  Rank %s | %s rang | %s. a rangsorban | Categoria %s | Clasificación %s | Classament %s | Classement %s |
  Classifica %s | Classificação %s | Derece %s | Değerlendirme %s | Einkunn %s | Grad/Rank %s | Hodnotenie %s |
  Hạng %s | Interval %s | Järjestus %s | Kedudukan %s | Klasifikashon %s | Peringkat %s | Rang %s |
  Rangering %s | Rangiranje %s | Rango %s | Rangorde %s | Rangordning %s | Rangs %s | Ranguj %s | Rangul %s |
  Ranking %s | Ranking-a %s | Ruolo %s | Safle %s | Seřaď %s | Seřaďte %s | Sijoitus %s | Vieta %s |
  Ταξινόμηση %s | Баҳогузории %s | Ранг %s | Рангирање %s | Рейтинг %s | דרגה %s | المرتبة %s | درجہ بندی %s |
  رتبه %s | पद %s | ਪਦ %s | ลำดับ %s | ランク %s | 排序 %s | 랭크 %s`);
